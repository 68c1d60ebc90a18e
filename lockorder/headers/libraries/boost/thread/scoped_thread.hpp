// Parse-only stand-in for Boost: boost/thread/scoped_thread.hpp.
#pragma once
#include <utility>
#include "thread.hpp"
namespace boost {
struct join_if_joinable {}; struct detach {}; struct interrupt_and_join_if_joinable {};
template <class C = join_if_joinable, class T = thread> class scoped_thread { public: scoped_thread(); explicit scoped_thread(T&& t); template <class F, class... A> explicit scoped_thread(F&& f, A&&... a) {} scoped_thread(scoped_thread&&) noexcept; ~scoped_thread(); bool joinable() const; void join(); void detach(); void interrupt(); };
}
