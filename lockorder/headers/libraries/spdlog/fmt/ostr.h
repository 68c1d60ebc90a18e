// Parse-only stand-in for spdlog/fmt/ostr.h.
#pragma once
#include "../spdlog.h"
