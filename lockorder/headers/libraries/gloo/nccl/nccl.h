// Parse-only stand-in for Gloo: gloo/nccl/nccl.h.
#pragma once
#include <nccl.h>
#include "gloo/cuda.h"
