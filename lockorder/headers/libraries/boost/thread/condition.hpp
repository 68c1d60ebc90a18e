// Parse-only stand-in for Boost: boost/thread/condition.hpp.
#pragma once
#include "mutex.hpp"
