// Parse-only stand-in for RCCL's rccl.h.
#pragma once
#include "rccl/rccl.h"
