// Parse-only stand-in for Boost: boost/thread/tss.hpp.
#pragma once
#include "thread.hpp"
