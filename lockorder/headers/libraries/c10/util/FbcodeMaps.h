// Parse-only stand-in for PyTorch: c10/util/FbcodeMaps.h.
#pragma once
#include <unordered_map>
#include <unordered_set>
namespace c10 { template <class K, class V> using FastMap = std::unordered_map<K, V>; template <class K> using FastSet = std::unordered_set<K>; }
