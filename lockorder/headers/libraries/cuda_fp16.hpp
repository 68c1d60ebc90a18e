// Parse-only stand-in for CUDA's cuda_fp16.hpp.
#pragma once
#include "cuda_fp16.h"
