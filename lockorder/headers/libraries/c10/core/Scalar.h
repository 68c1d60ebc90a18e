// Parse-only stand-in for PyTorch: c10/core/Scalar.h.
#pragma once
#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>
namespace c10 { class Scalar { public: Scalar(); template <class T> Scalar(T v) {} double toDouble() const; int64_t toLong() const; int toInt() const; float toFloat() const; bool toBool() const; template <class T> T to() const; bool isFloatingPoint() const; bool isIntegral(bool includeBool) const; bool isComplex() const; bool isBoolean() const; ScalarType type() const; Scalar operator-() const; }; }
