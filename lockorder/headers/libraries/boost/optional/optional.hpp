// Parse-only stand-in for Boost: boost/optional/optional.hpp.
#pragma once
#include "../optional.hpp"
