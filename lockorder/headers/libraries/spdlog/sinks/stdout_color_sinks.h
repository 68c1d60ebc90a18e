// Parse-only stand-in for spdlog/sinks/stdout_color_sinks.h.
#pragma once
#include "../spdlog.h"
