// Parse-only stand-in for Boost: boost/weak_ptr.hpp.
#pragma once
#include "shared_ptr.hpp"
