// Parse-only stand-in for Folly: folly/ScopeGuard.h.
#pragma once
namespace folly { class ScopeGuard { public: template <class F> ScopeGuard(F) {} ~ScopeGuard() {} void dismiss(); }; template <class F> ScopeGuard makeGuard(F f) { return ScopeGuard(f); } struct lostub_on_exit { template <class F> ScopeGuard operator+(F f) const { return ScopeGuard(f); } }; }
#define LOSTUB_FCAT2(a, b) a##b
#define LOSTUB_FCAT(a, b) LOSTUB_FCAT2(a, b)
#define SCOPE_EXIT auto LOSTUB_FCAT(lostub_scope_exit, __LINE__) = ::folly::lostub_on_exit() + [&]()
#define SCOPE_FAIL SCOPE_EXIT
#define SCOPE_SUCCESS SCOPE_EXIT
