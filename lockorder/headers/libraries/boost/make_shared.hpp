// Parse-only stand-in for Boost: boost/make_shared.hpp.
#pragma once
#include "shared_ptr.hpp"
namespace boost { template <class T, class... A> shared_ptr<T> make_shared(A&&...) { return shared_ptr<T>(); } }
