// Parse-only stand-in for spdlog/fmt/fmt.h.
#pragma once
#include "../spdlog.h"
