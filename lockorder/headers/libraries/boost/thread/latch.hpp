// Parse-only stand-in for Boost: boost/thread/latch.hpp.
#pragma once
#include "mutex.hpp"
namespace boost { class latch { public: explicit latch(unsigned long count); void wait(); bool try_wait(); template <class R, class P> cv_status wait_for(const std::chrono::duration<R, P>&); void count_down(); void count_down_and_wait(); void reset(unsigned long count); }; }
