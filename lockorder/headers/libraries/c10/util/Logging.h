// Parse-only stand-in for PyTorch: c10/util/Logging.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/Flags.h>
#include <c10/util/StringUtil.h>
#include <c10/util/logging_is_not_google_glog.h>
#include <climits>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#define CAFFE2_LOG_THRESHOLD INT_MIN
namespace c10 {
[[noreturn]] void ThrowEnforceNotMet(const char* file, const int line, const char* condition, const std::string& msg, const void* caller = nullptr);
[[noreturn]] void ThrowEnforceFiniteNotMet(const char* file, const int line, const char* condition, const std::string& msg, const void* caller = nullptr);
using EnforceNotMet = ::c10::Error;
bool InitCaffeLogging(int* argc, char** argv); void UpdateLoggingLevelsFromFlags(); void initLogging(); void ShowLogInfoToStderr(); void SetStackTraceFetcher(std::function<std::string()> fetcher); bool IsUsingGoogleLogging(); bool IsAPIUsageDebugMode();
void SetAPIUsageLogger(std::function<void(const std::string&)> logger); void LogAPIUsage(const std::string& context); void SetAPIUsageMetadataLogger(std::function<void(const std::string&, const std::map<std::string, std::string>&)> logger); void LogAPIUsageMetadata(const std::string& context, const std::map<std::string, std::string>& metadata_map);
struct DDPLoggingData { std::map<std::string, std::string> strs_map; std::map<std::string, int64_t> ints_map; }; void SetPyTorchDDPUsageLogger(std::function<void(const DDPLoggingData&)> logger); void LogPyTorchDDPUsage(const DDPLoggingData& ddpData);
namespace detail { bool LogAPIUsageFakeReturn(const std::string& context); }
}
#define CAFFE_ENFORCE(condition, ...) do { if (C10_UNLIKELY(!(condition))) { ::c10::ThrowEnforceNotMet(__FILE__, __LINE__, #condition, ::c10::str(__VA_ARGS__)); } } while (false)
#define CAFFE_ENFORCE_WITH_CALLER(condition, ...) CAFFE_ENFORCE(condition, ##__VA_ARGS__)
#define CAFFE_ENFORCE_FINITE(condition, ...) do { if (C10_UNLIKELY(!(condition))) { ::c10::ThrowEnforceFiniteNotMet(__FILE__, __LINE__, #condition, ::c10::str(__VA_ARGS__)); } } while (false)
#define CAFFE_THROW(...) ::c10::ThrowEnforceNotMet(__FILE__, __LINE__, "", ::c10::str(__VA_ARGS__))
#define CAFFE_ENFORCE_THAT(cmp, op, lhs, rhs, ...) CAFFE_ENFORCE((lhs)op(rhs), ##__VA_ARGS__)
#define CAFFE_ENFORCE_BINARY_OP(cmp, op, x, y, ...) CAFFE_ENFORCE((x)op(y), ##__VA_ARGS__)
#define CAFFE_ENFORCE_EQ(x, y, ...) CAFFE_ENFORCE((x) == (y), ##__VA_ARGS__)
#define CAFFE_ENFORCE_NE(x, y, ...) CAFFE_ENFORCE((x) != (y), ##__VA_ARGS__)
#define CAFFE_ENFORCE_LE(x, y, ...) CAFFE_ENFORCE((x) <= (y), ##__VA_ARGS__)
#define CAFFE_ENFORCE_LT(x, y, ...) CAFFE_ENFORCE((x) < (y), ##__VA_ARGS__)
#define CAFFE_ENFORCE_GE(x, y, ...) CAFFE_ENFORCE((x) >= (y), ##__VA_ARGS__)
#define CAFFE_ENFORCE_GT(x, y, ...) CAFFE_ENFORCE((x) > (y), ##__VA_ARGS__)
#define C10_LOG_API_USAGE_ONCE(...) (void)::c10::detail::LogAPIUsageFakeReturn(__VA_ARGS__);
#define C10_LOG_EVERY_MS(severity, ms) LOG(severity)
#define C10_LOG_EVERY_N(severity, n) LOG(severity)
#define C10_LOG_FIRST_N(severity, n) LOG(severity)
#define C10_LOG_EVENT_SAMPLED(event, ...) ((void)0)
