// Parse-only stand-in for Boost: boost/thread/locks.hpp.
#pragma once
#include "mutex.hpp"
