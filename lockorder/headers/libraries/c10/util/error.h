// Parse-only stand-in for PyTorch: c10/util/error.h.
#pragma once
#include <string>
namespace c10 { namespace utils { std::string str_error(int errnum); } }
