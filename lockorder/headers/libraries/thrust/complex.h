// Parse-only stand-in for thrust/complex.h.
#pragma once
#include <complex>
namespace thrust { template <class T> struct complex { T r, i; complex() = default; template <class U> complex(U) {} complex(T, T) {} T real() const; T imag() const; operator std::complex<T>() const; }; template <class T> complex<T> conj(const complex<T>&); template <class T> T abs(const complex<T>&); template <class T> T arg(const complex<T>&); template <class T> complex<T> sqrt(const complex<T>&); template <class T> complex<T> exp(const complex<T>&); template <class T> complex<T> log(const complex<T>&); }
