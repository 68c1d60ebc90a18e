// Parse-only stand-in for Abseil: absl/types/optional.h.
#pragma once
#if __cplusplus >= 201703L
#include <optional>
namespace absl { using std::optional; using std::nullopt; using std::nullopt_t; using std::make_optional; using std::bad_optional_access; }
#else
namespace absl { struct nullopt_t {}; const nullopt_t nullopt{}; template <class T> class optional { public: optional(); optional(nullopt_t); optional(const T&); bool has_value() const; explicit operator bool() const; T& value(); const T& value() const; T& operator*(); const T& operator*() const; T* operator->(); const T* operator->() const; template <class U> T value_or(U&&) const; void reset(); template <class... A> T& emplace(A&&...); }; }
#endif
