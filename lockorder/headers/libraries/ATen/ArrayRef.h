// Parse-only stand-in for PyTorch: ATen/ArrayRef.h.
#pragma once
#include <c10/util/ArrayRef.h>
