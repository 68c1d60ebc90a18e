// Parse-only stand-in for thrust/sequence.h.
#pragma once
#include "thrust_core.h"
