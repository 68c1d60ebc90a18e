// Parse-only stand-in for PyTorch: torch/types.h.
#pragma once
#include <ATen/ATen.h>
#include <c10/util/Optional.h>
#include <torch/csrc/autograd/variable.h>
namespace torch { using namespace at; using c10::optional; using c10::nullopt; using Dtype = at::ScalarType; constexpr auto kUInt8 = at::kByte, kInt8 = at::kChar, kInt16 = at::kShort, kInt32 = at::kInt, kInt64 = at::kLong, kFloat16 = at::kHalf, kFloat32 = at::kFloat, kFloat64 = at::kDouble; }
