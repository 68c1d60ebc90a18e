// Parse-only stand-in for glog/log_severity.h.
#pragma once
#include "logging.h"
