// Parse-only stand-in for Folly: folly/Singleton.h.
#pragma once
#include <memory>
namespace folly { template <class T, class Tag = void> class Singleton { public: Singleton(); template <class F> Singleton(F&&) {} static std::shared_ptr<T> try_get(); static std::weak_ptr<T> get_weak(); }; template <class T, class Tag = void> class LeakySingleton { public: LeakySingleton(); template <class F> LeakySingleton(F&&) {} static T& get(); }; }
