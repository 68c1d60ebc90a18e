// Parse-only stand-in for CUDA's host_defines.h.
#pragma once
#include "crt/host_defines.h"
