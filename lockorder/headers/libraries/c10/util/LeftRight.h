// Parse-only stand-in for PyTorch: c10/util/LeftRight.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Synchronized.h>
#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
namespace c10 {
template <class T> class LeftRight final { public: template <class... A> explicit LeftRight(const A&... args) {} template <class F> auto read(F&& f) const -> decltype(f(*static_cast<const T*>(nullptr))) { return f(*static_cast<const T*>(nullptr)); } template <class F> auto write(F&& f) -> decltype(f(*static_cast<T*>(nullptr))) { return f(*static_cast<T*>(nullptr)); } };
template <class T> class RWSafeLeftRightWrapper final { public: template <class... A> explicit RWSafeLeftRightWrapper(const A&... args) {} template <class F> auto read(F&& f) const -> decltype(f(*static_cast<const T*>(nullptr))) { return f(*static_cast<const T*>(nullptr)); } template <class F> auto write(F&& f) -> decltype(f(*static_cast<T*>(nullptr))) { return f(*static_cast<T*>(nullptr)); } };
}
