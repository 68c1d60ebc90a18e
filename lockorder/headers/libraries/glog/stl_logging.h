// Parse-only stand-in for glog/stl_logging.h.
#pragma once
#include <map>
#include <ostream>
#include <set>
#include <vector>
template <class T, class A> std::ostream& operator<<(std::ostream&, const std::vector<T, A>&);
template <class K, class V> std::ostream& operator<<(std::ostream&, const std::map<K, V>&);
template <class T> std::ostream& operator<<(std::ostream&, const std::set<T>&);
template <class A, class B> std::ostream& operator<<(std::ostream&, const std::pair<A, B>&);
