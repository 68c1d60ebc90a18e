// Parse-only stand-in for Abseil: absl/base/casts.h.
#pragma once
namespace absl { template <class T> T implicit_cast(T t); template <class D, class S> D bit_cast(const S&); }
