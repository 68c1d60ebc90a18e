// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/logging.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Logging.h>
#include <fmt/format.h>
#include <string>
namespace c10d { namespace detail { enum class LogLevel { Trace, Debug, Info, Warning, Error }; bool isLogLevelEnabled(LogLevel level) noexcept; template <class... A> std::string formatLogMessage(fmt::string_view fmt, A&&... args); } }
#define LOSTUB_C10D_LOG(level, ...) if (c10d::detail::isLogLevelEnabled(c10d::detail::LogLevel::level)) LOG(INFO) << c10d::detail::formatLogMessage(__VA_ARGS__)
#define C10D_ERROR(...) LOSTUB_C10D_LOG(Error, __VA_ARGS__)
#define C10D_WARNING(...) LOSTUB_C10D_LOG(Warning, __VA_ARGS__)
#define C10D_INFO(...) LOSTUB_C10D_LOG(Info, __VA_ARGS__)
#define C10D_DEBUG(...) LOSTUB_C10D_LOG(Debug, __VA_ARGS__)
#define C10D_TRACE(...) LOSTUB_C10D_LOG(Trace, __VA_ARGS__)
