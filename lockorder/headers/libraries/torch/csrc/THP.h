// Parse-only stand-in for PyTorch: torch/csrc/THP.h.
#pragma once
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils.h>
#define THPUtils_assert(cond, ...) do { if (!(cond)) { THPUtils_setError(__VA_ARGS__); return nullptr; } } while (0)
#define THPUtils_assertRet(value, cond, ...) do { if (!(cond)) { THPUtils_setError(__VA_ARGS__); return value; } } while (0)
