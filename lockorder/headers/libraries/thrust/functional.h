// Parse-only stand-in for thrust/functional.h.
#pragma once
#include "thrust_core.h"
