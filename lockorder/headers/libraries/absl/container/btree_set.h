// Parse-only stand-in for Abseil: absl/container/btree_set.h.
#pragma once
#include <set>
namespace absl { template <class... T> using btree_set = std::set<T...>; }
