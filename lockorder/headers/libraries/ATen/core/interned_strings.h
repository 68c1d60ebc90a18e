// Parse-only stand-in for PyTorch: ATen/core/interned_strings.h.
#pragma once
#include <ATen/core/symbol.h>
