// Parse-only stand-in for Boost: boost/bind/bind.hpp.
#pragma once
#include "../bind.hpp"
namespace boost { namespace placeholders { using namespace std::placeholders; } }
