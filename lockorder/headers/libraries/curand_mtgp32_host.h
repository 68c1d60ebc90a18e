// Parse-only stand-in for cuRAND's curand_mtgp32_host.h.
#pragma once
#include "curand_kernel.h"
