// Parse-only stand-in for Boost: boost/thread/recursive_mutex.hpp.
#pragma once
#include "mutex.hpp"
