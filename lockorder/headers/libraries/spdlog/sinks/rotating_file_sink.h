// Parse-only stand-in for spdlog/sinks/rotating_file_sink.h.
#pragma once
#include "../spdlog.h"
