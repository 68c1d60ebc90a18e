// Parse-only stand-in for Abseil: absl/container/btree_map.h.
#pragma once
#include <map>
namespace absl { template <class... T> using btree_map = std::map<T...>; }
