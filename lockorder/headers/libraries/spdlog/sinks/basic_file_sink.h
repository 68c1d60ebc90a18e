// Parse-only stand-in for spdlog/sinks/basic_file_sink.h.
#pragma once
#include "../spdlog.h"
