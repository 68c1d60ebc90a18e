// Parse-only stand-in for Boost: boost/thread/lock_guard.hpp.
#pragma once
#include "mutex.hpp"
