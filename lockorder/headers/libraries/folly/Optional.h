// Parse-only stand-in for Folly: folly/Optional.h.
#pragma once
#if __cplusplus >= 201703L
#include <optional>
namespace folly { template <class T> using Optional = std::optional<T>; typedef std::nullopt_t None; constexpr auto none = std::nullopt; }
#endif
