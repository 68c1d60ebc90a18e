// Parse-only stand-in for Boost: boost/thread/reverse_lock.hpp.
#pragma once
#include "mutex.hpp"
