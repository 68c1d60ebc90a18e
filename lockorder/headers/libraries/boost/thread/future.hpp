// Parse-only stand-in for Boost: boost/thread/future.hpp.
#pragma once
#include <type_traits>
#include <utility>
#include "thread.hpp"
namespace boost {
enum class future_status { ready, timeout, deferred }; enum class launch { none = 0, async = 1, deferred = 2, any = 3 };
template <class T> class shared_future { public: shared_future(); T get() const; bool valid() const; bool is_ready() const; void wait() const; template <class R, class P> future_status wait_for(const std::chrono::duration<R, P>&) const; template <class C, class D> future_status wait_until(const std::chrono::time_point<C, D>&) const; };
template <class T> class future { public: future(); future(future&&) noexcept; future& operator=(future&&) noexcept; ~future(); T get(); bool valid() const; bool is_ready() const; bool has_exception() const; void wait() const; template <class R, class P> future_status wait_for(const std::chrono::duration<R, P>&) const; template <class C, class D> future_status wait_until(const std::chrono::time_point<C, D>&) const; shared_future<T> share(); };
template <class T> using unique_future = future<T>;
template <class T> class promise { public: promise(); promise(promise&&) noexcept; ~promise(); future<T> get_future(); template <class... U> void set_value(U&&...) {} template <class E> void set_exception(E) {} };
template <class S> class packaged_task { public: template <class F> explicit packaged_task(F&& f) {} bool valid() const; };
template <class F, class... A> auto async(F&& f, A&&... a) -> future<decltype(std::declval<F>()(std::declval<A>()...))>; template <class F, class... A> auto async(launch policy, F&& f, A&&... a) -> future<decltype(std::declval<F>()(std::declval<A>()...))>;
}
