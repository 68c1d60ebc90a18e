// Parse-only stand-in for Boost: boost/thread/shared_mutex.hpp.
#pragma once
#include "mutex.hpp"
