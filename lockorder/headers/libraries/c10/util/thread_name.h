// Parse-only stand-in for PyTorch: c10/util/thread_name.h.
#pragma once
#include <c10/macros/Export.h>
#include <string>
namespace c10 { void setThreadName(std::string name); std::string getThreadName(); }
