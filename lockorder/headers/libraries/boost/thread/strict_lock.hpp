// Parse-only stand-in for Boost: boost/thread/strict_lock.hpp.
#pragma once
#include "mutex.hpp"
