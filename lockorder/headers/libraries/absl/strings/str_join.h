// Parse-only stand-in for Abseil: absl/strings/str_join.h.
#pragma once
#include "string_view.h"
#include <initializer_list>
namespace absl { template <class R> std::string StrJoin(const R&, string_view) { return std::string(); } template <class R, class F> std::string StrJoin(const R&, string_view, F&&) { return std::string(); } template <class T> std::string StrJoin(std::initializer_list<T>, string_view) { return std::string(); } struct lostub_fmt { template <class... A> void operator()(std::string*, const A&...) const {} }; lostub_fmt AlphaNumFormatter(); lostub_fmt StreamFormatter(); lostub_fmt PairFormatter(string_view); lostub_fmt DereferenceFormatter(); }
