// Parse-only stand-in for <__lo/lock.h>.
#pragma once
#include <chrono>
#include <pthread.h>
namespace std {
class mutex { public: constexpr mutex() noexcept {} ~mutex(); mutex(const mutex&) = delete; mutex& operator=(const mutex&) = delete; void lock(); bool try_lock() noexcept; void unlock(); using native_handle_type = pthread_mutex_t*; native_handle_type native_handle(); };
struct defer_lock_t { explicit defer_lock_t() = default; }; struct try_to_lock_t { explicit try_to_lock_t() = default; }; struct adopt_lock_t { explicit adopt_lock_t() = default; }; _LO_INL defer_lock_t defer_lock{}; _LO_INL try_to_lock_t try_to_lock{}; _LO_INL adopt_lock_t adopt_lock{};
template<class M> class lock_guard { public: using mutex_type = M; explicit lock_guard(M&) {} lock_guard(M&, adopt_lock_t) {} ~lock_guard() {} lock_guard(const lock_guard&) = delete; lock_guard& operator=(const lock_guard&) = delete; };
template<class M> class unique_lock { public: using mutex_type = M; unique_lock() noexcept {} explicit unique_lock(M&) {} unique_lock(M&, defer_lock_t) noexcept {} unique_lock(M&, try_to_lock_t) {} unique_lock(M&, adopt_lock_t) {} template<class R, class P> unique_lock(M&, const chrono::duration<R, P>&) {} template<class C, class D> unique_lock(M&, const chrono::time_point<C, D>&) {} ~unique_lock() {} unique_lock(unique_lock&&) noexcept {} unique_lock& operator=(unique_lock&&) noexcept {} unique_lock(const unique_lock&) = delete; unique_lock& operator=(const unique_lock&) = delete; void lock() {} bool try_lock() {} template<class R, class P> bool try_lock_for(const chrono::duration<R, P>&) {} template<class C, class D> bool try_lock_until(const chrono::time_point<C, D>&) {} void unlock() {} void swap(unique_lock&) noexcept {} M* release() noexcept {} bool owns_lock() const noexcept {} explicit operator bool() const noexcept {} M* mutex() const noexcept {} };
template<class M> void swap(unique_lock<M>&, unique_lock<M>&) noexcept {}
}
