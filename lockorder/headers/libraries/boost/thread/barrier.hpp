// Parse-only stand-in for Boost: boost/thread/barrier.hpp.
#pragma once
#include "thread.hpp"
