// Parse-only stand-in for Folly: folly/String.h.
#pragma once
#include "Range.h"
namespace folly { template <class... A> std::string sformat(const A&...) { return std::string(); } template <class... A> std::string to_(const A&...); std::string errnoStr(int); template <class D, class C> std::string join(const D&, const C&) { return std::string(); } template <class D, class S, class O> void split(const D&, const S&, O&, bool = false) {} StringPiece trimWhitespace(StringPiece); }
