// Parse-only stand-in for Boost: boost/thread.hpp.
#pragma once
#include "thread/thread.hpp"
