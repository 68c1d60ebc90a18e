// Parse-only stand-in for Boost: boost/thread/condition_variable.hpp.
#pragma once
#include "mutex.hpp"
