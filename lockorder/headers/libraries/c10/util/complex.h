// Parse-only stand-in for PyTorch: c10/util/complex.h.
#pragma once
#include <c10/macros/Macros.h>
#include <complex>
namespace c10 { template <class T> struct complex { T real_, imag_; constexpr complex(T re = T(), T im = T()) : real_(re), imag_(im) {} T real() const; T imag() const; }; }
