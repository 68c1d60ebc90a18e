// Parse-only stand-in for Boost: boost/thread/lock_types.hpp.
#pragma once
#include "mutex.hpp"
