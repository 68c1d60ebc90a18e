// Parse-only stand-in for cuRAND's curand_mtgp32dc_p_11213.h.
#pragma once
#include "curand_kernel.h"
