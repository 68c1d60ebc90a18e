/* Parse-only stand-in for <tgmath.h>. */
#pragma once
#include <math.h>
