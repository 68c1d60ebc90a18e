// Parse-only stand-in for PyTorch: c10/util/Optional.h.
#pragma once
#include <c10/macros/Macros.h>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>
namespace c10 { using std::optional; using std::nullopt; using std::nullopt_t; using std::make_optional; using std::in_place; using std::in_place_t; using std::bad_optional_access; }
#else
namespace c10 {
struct nullopt_t { explicit constexpr nullopt_t(int) {} }; constexpr nullopt_t nullopt{0}; struct in_place_t {}; constexpr in_place_t in_place{};
template <class T> class optional { public: constexpr optional() {} constexpr optional(nullopt_t) {} template <class U = T> optional(U&&) {} optional& operator=(nullopt_t); template <class U> optional& operator=(U&&); explicit operator bool() const; bool has_value() const; T& value(); const T& value() const; template <class U> T value_or(U&&) const; T& operator*(); const T& operator*() const; T* operator->(); const T* operator->() const; void reset(); template <class... A> T& emplace(A&&...); };
template <class T> optional<T> make_optional(T v);
template <class T> bool operator==(const optional<T>&, nullopt_t); template <class T> bool operator!=(const optional<T>&, nullopt_t);
}
#endif
namespace c10 { template <class T, class F> T value_or_else(const optional<T>& v, F&& f) { return *v; } }
