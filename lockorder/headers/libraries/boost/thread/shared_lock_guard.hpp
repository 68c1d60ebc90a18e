// Parse-only stand-in for Boost: boost/thread/shared_lock_guard.hpp.
#pragma once
#include "mutex.hpp"
