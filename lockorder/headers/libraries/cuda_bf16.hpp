// Parse-only stand-in for CUDA's cuda_bf16.hpp.
#pragma once
#include "cuda_bf16.h"
