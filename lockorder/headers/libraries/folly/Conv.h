// Parse-only stand-in for Folly: folly/Conv.h.
#pragma once
#include <string>
namespace folly { template <class T, class... A> T to(const A&...); }
