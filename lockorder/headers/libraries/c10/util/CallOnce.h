// Parse-only stand-in for PyTorch: c10/util/CallOnce.h.
#pragma once
#include <c10/macros/Macros.h>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
namespace c10 {
class once_flag { public: once_flag() noexcept = default; once_flag(const once_flag&) = delete; once_flag& operator=(const once_flag&) = delete; bool test_once(); };
template <class F, class... A> void call_once(once_flag& flag, F&& f, A&&... args) {}
}
