// Parse-only stand-in for cuRAND's curand_normal.h.
#pragma once
#include "curand_kernel.h"
