// Parse-only stand-in for PyTorch: c10/util/env.h.
#pragma once
#include <c10/macros/Export.h>
#include <c10/util/Optional.h>
#include <string>
namespace c10 { namespace utils { c10::optional<bool> check_env(const char* name); c10::optional<std::string> get_env(const char* name) noexcept; bool has_env(const char* name) noexcept; void set_env(const char* name, const char* value, bool overwrite = true); } }
