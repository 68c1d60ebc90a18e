// Parse-only stand-in for Boost: boost/thread/once.hpp.
#pragma once
#include "mutex.hpp"
