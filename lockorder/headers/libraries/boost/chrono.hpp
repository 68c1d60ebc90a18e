// Parse-only stand-in for boost/chrono.hpp.
#pragma once
#include <chrono>
namespace boost { namespace chrono { using namespace std::chrono; } }
