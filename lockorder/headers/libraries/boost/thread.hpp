// Parse-only stand-in for Boost: boost/thread.hpp.
#pragma once
#include "thread/future.hpp"
#include "thread/latch.hpp"
#include "thread/scoped_thread.hpp"
#include "thread/thread.hpp"
