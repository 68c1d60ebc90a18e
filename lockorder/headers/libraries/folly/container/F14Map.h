// Parse-only stand-in for Folly: folly/container/F14Map.h.
#pragma once
#include <unordered_map>
namespace folly { template <class... T> using F14FastMap = std::unordered_map<T...>; template <class... T> using F14NodeMap = std::unordered_map<T...>; template <class... T> using F14ValueMap = std::unordered_map<T...>; template <class... T> using F14VectorMap = std::unordered_map<T...>; }
