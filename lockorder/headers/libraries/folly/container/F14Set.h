// Parse-only stand-in for Folly: folly/container/F14Set.h.
#pragma once
#include <unordered_set>
namespace folly { template <class... T> using F14FastSet = std::unordered_set<T...>; template <class... T> using F14NodeSet = std::unordered_set<T...>; template <class... T> using F14ValueSet = std::unordered_set<T...>; template <class... T> using F14VectorSet = std::unordered_set<T...>; }
