// Parse-only stand-in for TensorPipe: tensorpipe/common/system.h.
#pragma once
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/optional.h>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>
namespace tensorpipe { using TimeStamp = uint64_t; constexpr TimeStamp kInvalidTimeStamp = ~TimeStamp(0); std::string tstampToStr(TimeStamp ts); template <class D> TimeStamp durationToTimeStamp(D d); constexpr bool isPow2(uint64_t n) noexcept { return n > 0 && !((n - 1) & n); } constexpr uint64_t nextPow2(uint64_t n) noexcept { return n; } optional<std::string> getProcFsStr(const std::string& fileName, long tid = -1); optional<std::string> getBootID(); enum class LinuxNamespace { kIpc, kNet, kPid, kUser }; optional<std::string> getLinuxNamespaceId(LinuxNamespace ns); optional<std::vector<std::string>> getLinuxSecurityModules(); optional<std::string> getPermittedCapabilitiesID(); void setThreadName(std::string name); }
