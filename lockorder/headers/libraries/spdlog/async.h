// Parse-only stand-in for spdlog/async.h.
#pragma once
#include "spdlog.h"
