// Parse-only stand-in for gflags/gflags.h.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
namespace gflags { typedef int32_t int32; typedef int64_t int64; typedef uint32_t uint32; typedef uint64_t uint64; typedef std::string clstring;
uint32_t ParseCommandLineFlags(int* argc, char*** argv, bool remove_flags); void SetUsageMessage(const std::string&); void SetVersionString(const std::string&); std::string SetCommandLineOption(const char*, const char*); bool GetCommandLineOption(const char*, std::string*); void ShutDownCommandLineFlags(); void HandleCommandLineHelpFlags(); const char* ProgramUsage(); const char* ProgramInvocationShortName();
struct CommandLineFlagInfo { std::string name, type, description, current_value, default_value, filename; bool is_default; }; void GetAllFlags(std::vector<CommandLineFlagInfo>*); bool GetCommandLineFlagInfo(const char*, CommandLineFlagInfo*); class FlagSaver { public: FlagSaver(); ~FlagSaver(); };
template <class T> bool RegisterFlagValidator(const T*, bool (*)(const char*, T)); }
namespace google { using namespace gflags; }
#define DEFINE_bool(n, v, t) bool FLAGS_##n = v
#define DEFINE_int32(n, v, t) int32_t FLAGS_##n = v
#define DEFINE_uint32(n, v, t) uint32_t FLAGS_##n = v
#define DEFINE_int64(n, v, t) int64_t FLAGS_##n = v
#define DEFINE_uint64(n, v, t) uint64_t FLAGS_##n = v
#define DEFINE_double(n, v, t) double FLAGS_##n = v
#define DEFINE_string(n, v, t) std::string FLAGS_##n = v
#define DECLARE_bool(n) extern bool FLAGS_##n
#define DECLARE_int32(n) extern int32_t FLAGS_##n
#define DECLARE_uint32(n) extern uint32_t FLAGS_##n
#define DECLARE_int64(n) extern int64_t FLAGS_##n
#define DECLARE_uint64(n) extern uint64_t FLAGS_##n
#define DECLARE_double(n) extern double FLAGS_##n
#define DECLARE_string(n) extern std::string FLAGS_##n
#define DEFINE_validator(n, f) static bool validator_##n = ((void)(f), true)
