// Parse-only stand-in for PyTorch: c10/core/UndefinedTensorImpl.h.
#pragma once
#include <c10/core/TensorImpl.h>
