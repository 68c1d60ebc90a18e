// Parse-only stand-in for Folly: folly/synchronization/CallOnce.h.
#pragma once
namespace folly { class once_flag { public: constexpr once_flag() {} }; class compact_once_flag { public: constexpr compact_once_flag() {} }; template <class O, class F, class... A> void call_once(O& flag, F&& f, A&&... args) {} template <class O, class F, class... A> bool try_call_once(O& flag, F&& f, A&&... args) { return true; } template <class O> bool test_once(const O& flag) { return true; } template <class O> void reset_once(O&); template <class O> void set_once(O&); }
