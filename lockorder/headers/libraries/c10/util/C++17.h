// Parse-only stand-in for PyTorch: c10/util/C++17.h.
#pragma once
#include <c10/macros/Macros.h>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
namespace c10 { namespace guts { template <class T, class... A> std::unique_ptr<T> make_unique(A&&... args) { return std::unique_ptr<T>(new T(std::forward<A>(args)...)); } template <class... B> struct conjunction; template <class... B> struct disjunction; template <class... T> using void_t = void; template <class F, class T> void apply(F&&, T&&) {} template <class T> std::string to_string(T v); template <bool C, class A, class B> void if_constexpr(A&&, B&&) {} } template <class T, class... A> std::unique_ptr<T> make_unique(A&&... args) { return std::unique_ptr<T>(new T(std::forward<A>(args)...)); } }
