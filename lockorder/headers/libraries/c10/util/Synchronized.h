// Parse-only stand-in for PyTorch: c10/util/Synchronized.h.
#pragma once
#include <mutex>
#include <utility>
namespace c10 {
template <class T> class Synchronized final {
 public:
  Synchronized() = default; Synchronized(T const& data); Synchronized(T&& data); Synchronized(Synchronized const&) = delete; Synchronized& operator=(Synchronized const&) = delete;
  template <class F> auto withLock(F&& cb) -> decltype(cb(*static_cast<T*>(nullptr))) { return cb(*static_cast<T*>(nullptr)); } template <class F> auto withLock(F&& cb) const -> decltype(cb(*static_cast<const T*>(nullptr))) { return cb(*static_cast<const T*>(nullptr)); }
};
}
