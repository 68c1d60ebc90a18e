// Parse-only stand-in for glog/vlog_is_on.h.
#pragma once
#include "logging.h"
