// Parse-only stand-in for tbb/global_control.h.
#pragma once
#include "tbb.h"
