// Parse-only stand-in for Boost: boost/thread/thread.hpp.
#pragma once
#include "mutex.hpp"
#include <functional>
namespace boost {
class thread_interrupted {}; class thread { public: class id { public: bool operator==(const id&) const; bool operator!=(const id&) const; bool operator<(const id&) const; }; class attributes { public: void set_stack_size(unsigned long); }; typedef unsigned long native_handle_type; thread() noexcept; template <class F, class... A> explicit thread(F&& f, A&&... a) {} thread(thread&&) noexcept; thread& operator=(thread&&) noexcept; ~thread(); bool joinable() const; void join(); template <class D> bool timed_join(const D&); template <class R, class P> bool try_join_for(const std::chrono::duration<R, P>&); void detach(); void interrupt(); bool interruption_requested() const; id get_id() const; native_handle_type native_handle(); static unsigned hardware_concurrency(); static void yield(); template <class T> static void sleep(const T&); };
class thread_group { public: template <class F> thread* create_thread(F f); void add_thread(thread* t); void remove_thread(thread* t); void join_all(); void interrupt_all(); int size() const; }; namespace this_thread { thread::id get_id(); void yield(); void interruption_point(); template <class T> void sleep(const T&); template <class R, class P> void sleep_for(const std::chrono::duration<R, P>&); class disable_interruption { public: disable_interruption(); ~disable_interruption(); }; } template <class T> class thread_specific_ptr { public: thread_specific_ptr(); explicit thread_specific_ptr(void (*)(T*)); T* get() const; T* operator->() const; T& operator*() const; void reset(T* = nullptr); T* release(); };
class barrier { public: explicit barrier(unsigned n); bool wait(); };
}
