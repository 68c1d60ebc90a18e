// Parse-only stand-in for Abseil: absl/strings/str_split.h.
#pragma once
#include "string_view.h"
#include <vector>
namespace absl { struct lostub_split { template <class C> operator C() const; const string_view* begin() const; const string_view* end() const; }; struct ByString { explicit ByString(string_view); }; struct ByChar { explicit ByChar(char); }; struct ByAnyChar { explicit ByAnyChar(string_view); }; struct SkipEmpty { bool operator()(string_view) const; }; struct SkipWhitespace { bool operator()(string_view) const; }; struct AllowEmpty { bool operator()(string_view) const; }; template <class D> D MaxSplits(D d, int) { return d; } template <class S, class D> lostub_split StrSplit(const S&, D) { return {}; } template <class S, class D, class P> lostub_split StrSplit(const S&, D, P) { return {}; } }
