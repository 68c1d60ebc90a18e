// Parse-only stand-in for hipsparse.h.
#pragma once
#include "hipsparse/hipsparse.h"
