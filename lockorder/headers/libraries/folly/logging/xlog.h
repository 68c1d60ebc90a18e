// Parse-only stand-in for Folly: folly/logging/xlog.h.
#pragma once
#include <ostream>
namespace folly { std::ostream& lostub_xlog(); }
#define XLOG(level, ...) ::folly::lostub_xlog()
#define XLOGF(level, ...) ((void)0)
#define XLOG_IF(level, c, ...) if (!(c)) {} else ::folly::lostub_xlog()
#define XCHECK(c, ...) if (c) {} else ::folly::lostub_xlog()
