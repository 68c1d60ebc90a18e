// Parse-only stand-in for Boost: boost/bind.hpp.
#pragma once
#include <functional>
namespace boost { using std::bind; using std::ref; using std::cref; using std::mem_fn; } using namespace std::placeholders;
