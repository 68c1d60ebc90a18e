// Parse-only stand-in for spdlog/logger.h.
#pragma once
#include "spdlog.h"
