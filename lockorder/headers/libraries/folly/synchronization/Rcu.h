// Parse-only stand-in for Folly: folly/synchronization/Rcu.h.
#pragma once
#include <functional>
namespace folly { class rcu_domain { public: void lock(); void unlock(); }; rcu_domain& rcu_default_domain(); class rcu_reader { public: rcu_reader() noexcept; ~rcu_reader(); }; void rcu_synchronize(); void synchronize_rcu(); template <class T> void rcu_retire(T* p); }
