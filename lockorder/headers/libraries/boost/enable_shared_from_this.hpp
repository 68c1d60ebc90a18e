// Parse-only stand-in for Boost: boost/enable_shared_from_this.hpp.
#pragma once
#include "shared_ptr.hpp"
