// Parse-only stand-in for PyTorch: c10/util/overloaded.h.
#pragma once
#include <memory>
namespace c10 {
#if __cplusplus >= 201703L
template <class... Ts> struct overloaded_t : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded_t(Ts...) -> overloaded_t<Ts...>;
template <class... Ts> auto overloaded(Ts... ts) { return overloaded_t<Ts...>{ts...}; }
#endif
}
