// Parse-only stand-in for Gloo: gloo/common/string.h.
#pragma once
#include <sstream>
#include <string>
#include <vector>
namespace gloo {
template <class... A> std::string MakeString(const A&... args);
}
