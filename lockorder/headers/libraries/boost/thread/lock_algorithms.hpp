// Parse-only stand-in for Boost: boost/thread/lock_algorithms.hpp.
#pragma once
#include "mutex.hpp"
