// Parse-only stand-in for Boost: boost/scoped_ptr.hpp.
#pragma once
#include "shared_ptr.hpp"
