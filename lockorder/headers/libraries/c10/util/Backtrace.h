// Parse-only stand-in for PyTorch: c10/util/Backtrace.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/StringUtil.h>
#include <memory>
#include <string>
namespace c10 { std::string get_backtrace(size_t frames_to_skip = 0, size_t maximum_number_of_frames = 64, bool skip_python_frames = true); }
