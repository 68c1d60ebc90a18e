// Parse-only stand-in for PyTorch: c10/util/ScopeExit.h.
#pragma once
#include <type_traits>
#include <utility>
namespace c10 {
template <class C> class scope_exit { public: template <class F> explicit scope_exit(F&& f) : exit_(std::forward<F>(f)) {} scope_exit(scope_exit&& o) noexcept : exit_(std::move(o.exit_)) {} scope_exit(const scope_exit&) = delete; void release(); ~scope_exit() { exit_(); } private: C exit_; };
template <class C> scope_exit<typename std::decay<C>::type> make_scope_exit(C&& c) { return scope_exit<typename std::decay<C>::type>(std::forward<C>(c)); }
}
