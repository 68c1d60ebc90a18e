// Parse-only stand-in for thrust/scan.h.
#pragma once
#include "thrust_core.h"
