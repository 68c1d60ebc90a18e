// Parse-only stand-in for Abseil: absl/base/call_once.h.
#pragma once
namespace absl { class once_flag { public: constexpr once_flag() {} once_flag(const once_flag&) = delete; }; template <class F, class... A> void call_once(once_flag& flag, F&& fn, A&&... args) {} }
