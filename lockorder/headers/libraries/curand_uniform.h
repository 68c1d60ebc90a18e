// Parse-only stand-in for cuRAND's curand_uniform.h.
#pragma once
#include "curand_kernel.h"
