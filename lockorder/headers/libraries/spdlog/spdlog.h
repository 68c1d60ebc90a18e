// Parse-only stand-in for spdlog/spdlog.h (minimal).
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>
#define SPDLOG_LEVEL_TRACE 0
#define SPDLOG_LEVEL_INFO 2
#define SPDLOG_ACTIVE_LEVEL SPDLOG_LEVEL_INFO
namespace spdlog {
namespace level { enum level_enum : int { trace, debug, info, warn, err, critical, off, n_levels }; level_enum from_str(const std::string&); } namespace sinks { class sink { public: virtual ~sink(); void set_level(level::level_enum); void set_pattern(const std::string&); }; class stdout_color_sink_mt : public sink {}; class stderr_color_sink_mt : public sink {}; class basic_file_sink_mt : public sink { public: basic_file_sink_mt(const std::string&, bool = false); }; class rotating_file_sink_mt : public sink { public: rotating_file_sink_mt(const std::string&, size_t, size_t); }; } typedef std::shared_ptr<sinks::sink> sink_ptr;
#define LOSTUB_SPD(n) template <class... A> void n(A&&...) {}
class logger { public: logger(std::string, sink_ptr); template <class I> logger(std::string, I, I) {} LOSTUB_SPD(trace) LOSTUB_SPD(debug) LOSTUB_SPD(info) LOSTUB_SPD(warn) LOSTUB_SPD(error) LOSTUB_SPD(critical) LOSTUB_SPD(log) void set_level(level::level_enum); level::level_enum level() const; bool should_log(spdlog::level::level_enum) const; void flush(); void flush_on(spdlog::level::level_enum); void set_pattern(const std::string&); const std::string& name() const; std::vector<sink_ptr>& sinks(); };
LOSTUB_SPD(trace) LOSTUB_SPD(debug) LOSTUB_SPD(info) LOSTUB_SPD(warn) LOSTUB_SPD(error) LOSTUB_SPD(critical) LOSTUB_SPD(log)
#undef LOSTUB_SPD
std::shared_ptr<logger> get(const std::string&); std::shared_ptr<logger> default_logger(); logger* default_logger_raw(); void set_default_logger(std::shared_ptr<logger>); void register_logger(std::shared_ptr<logger>); void drop(const std::string&); void drop_all(); void shutdown(); void set_level(level::level_enum); level::level_enum get_level(); void set_pattern(const std::string&); void flush_on(level::level_enum); template <class R, class P> void flush_every(std::chrono::duration<R, P>); std::shared_ptr<logger> stdout_color_mt(const std::string&); std::shared_ptr<logger> stderr_color_mt(const std::string&); std::shared_ptr<logger> basic_logger_mt(const std::string&, const std::string&, bool = false);
}
#define SPDLOG_TRACE(...) ::spdlog::trace(__VA_ARGS__)
#define SPDLOG_DEBUG(...) ::spdlog::debug(__VA_ARGS__)
#define SPDLOG_INFO(...) ::spdlog::info(__VA_ARGS__)
#define SPDLOG_WARN(...) ::spdlog::warn(__VA_ARGS__)
#define SPDLOG_ERROR(...) ::spdlog::error(__VA_ARGS__)
#define SPDLOG_CRITICAL(...) ::spdlog::critical(__VA_ARGS__)
#define SPDLOG_LOGGER_INFO(l, ...) (l)->info(__VA_ARGS__)
