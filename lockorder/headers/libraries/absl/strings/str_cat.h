// Parse-only stand-in for Abseil: absl/strings/str_cat.h.
#pragma once
#include "string_view.h"
namespace absl { struct Hex { template <class T> explicit Hex(T, int = 0) {} }; struct Dec { template <class T> explicit Dec(T, int = 0) {} }; class AlphaNum { public: template <class T> AlphaNum(const T&) {} string_view Piece() const; }; template <class... A> std::string StrCat(const A&...) { return std::string(); } template <class... A> void StrAppend(std::string*, const A&...) {} }
