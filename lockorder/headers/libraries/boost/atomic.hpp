// Parse-only stand-in for Boost: boost/atomic.hpp.
#pragma once
#include <atomic>
namespace boost { using std::atomic; using std::memory_order_acquire; using std::memory_order_release; using std::memory_order_relaxed; }
