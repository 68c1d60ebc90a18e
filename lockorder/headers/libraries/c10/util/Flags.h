// Parse-only stand-in for PyTorch: c10/util/Flags.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
#include <string>
namespace c10 { void SetUsageMessage(const std::string& str); const char* UsageMessage(); bool ParseCommandLineFlags(int* pargc, char*** pargv); bool CommandLineFlagsHasBeenParsed(); }
#define C10_DEFINE_typed_var(type, name, default_value, help_str) type FLAGS_##name = default_value
#define C10_DEFINE_int(name, default_value, help_str) int FLAGS_##name = default_value
#define C10_DEFINE_int32(name, default_value, help_str) int32_t FLAGS_##name = default_value
#define C10_DEFINE_int64(name, default_value, help_str) int64_t FLAGS_##name = default_value
#define C10_DEFINE_double(name, default_value, help_str) double FLAGS_##name = default_value
#define C10_DEFINE_bool(name, default_value, help_str) bool FLAGS_##name = default_value
#define C10_DEFINE_string(name, default_value, help_str) std::string FLAGS_##name = default_value
#define C10_DECLARE_typed_var(type, name) extern type FLAGS_##name
#define C10_DECLARE_int(name) extern int FLAGS_##name
#define C10_DECLARE_int32(name) extern int32_t FLAGS_##name
#define C10_DECLARE_int64(name) extern int64_t FLAGS_##name
#define C10_DECLARE_double(name) extern double FLAGS_##name
#define C10_DECLARE_bool(name) extern bool FLAGS_##name
#define C10_DECLARE_string(name) extern std::string FLAGS_##name
#define TORCH_DECLARE_typed_var(type, name) extern type FLAGS_##name
#define TORCH_DECLARE_int(name) extern int FLAGS_##name
#define TORCH_DECLARE_int32(name) extern int32_t FLAGS_##name
#define TORCH_DECLARE_int64(name) extern int64_t FLAGS_##name
#define TORCH_DECLARE_double(name) extern double FLAGS_##name
#define TORCH_DECLARE_bool(name) extern bool FLAGS_##name
#define TORCH_DECLARE_string(name) extern std::string FLAGS_##name
