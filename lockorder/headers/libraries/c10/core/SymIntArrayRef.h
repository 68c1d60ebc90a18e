// Parse-only stand-in for PyTorch: c10/core/SymIntArrayRef.h.
#pragma once
#include <c10/core/SymInt.h>
