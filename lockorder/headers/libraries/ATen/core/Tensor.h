// Parse-only stand-in for PyTorch: ATen/core/Tensor.h.
#pragma once
#include <ATen/core/TensorBody.h>
#include <c10/util/Exception.h>
namespace at { class OptionalTensorRef { public: OptionalTensorRef(); OptionalTensorRef(const TensorBase& src); bool has_value() const; const Tensor& operator*() const; const Tensor* operator->() const; }; Tensor operator+(const Tensor& a, const Tensor& b); Tensor operator+(const Tensor& a, const Scalar& b); Tensor operator-(const Tensor& a, const Tensor& b); Tensor operator-(const Tensor& a, const Scalar& b); Tensor operator*(const Tensor& a, const Tensor& b); Tensor operator*(const Tensor& a, const Scalar& b); Tensor operator/(const Tensor& a, const Tensor& b); Tensor operator/(const Tensor& a, const Scalar& b); }
