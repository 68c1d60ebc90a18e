// Parse-only stand-in for glog/raw_logging.h.
#pragma once
#include "logging.h"
