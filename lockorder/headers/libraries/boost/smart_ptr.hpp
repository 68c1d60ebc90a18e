// Parse-only stand-in for Boost: boost/smart_ptr.hpp.
#pragma once
#include "shared_ptr.hpp"
