// Parse-only stand-in for TensorPipe: tensorpipe/common/optional.h.
#pragma once
#if __cplusplus >= 201703L
#include <optional>
namespace tensorpipe { using std::optional; using std::nullopt; using std::nullopt_t; }
#else
namespace tensorpipe { struct nullopt_t { explicit constexpr nullopt_t(int) {} }; constexpr nullopt_t nullopt{0}; template <class T> class optional { public: optional(); optional(nullopt_t); template <class U = T> optional(U&&) {} explicit operator bool() const; bool has_value() const; T& value(); const T& value() const; T& operator*(); const T& operator*() const; T* operator->(); const T* operator->() const; void reset(); template <class U> T value_or(U&&) const; template <class... A> void emplace(A&&...); }; }
#endif
