// Parse-only stand-in for glog/logging.h: log streams and checks that keep their arguments.
#pragma once
#include <ctime>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>
namespace google {
typedef int LogSeverity;
const int INFO = 0, WARNING = 1, ERROR = 2, FATAL = 3, NUM_SEVERITIES = 4, GLOG_INFO = 0, GLOG_WARNING = 1, GLOG_ERROR = 2, GLOG_FATAL = 3;
class LogMessage { public: LogMessage(const char* file, int line, int severity = 0); ~LogMessage(); std::ostream& stream(); };
class LogMessageFatal : public LogMessage { public: LogMessageFatal(const char* file, int line); };
class LogSink { public: virtual ~LogSink(); virtual void send(LogSeverity severity, const char* full_filename, const char* base_filename, int line, const struct ::tm* tm_time, const char* message, size_t message_len); virtual void WaitTillSent(); };
struct LogMessageVoidify { void operator&(std::ostream&) {} };
std::ostream& lostub_log();
template <class T> T& lostub_notnull(T& t) { return t; } template <class T> T* lostub_notnull(T* t) { return t; } template <class T> T lostub_notnull(T&& t) { return static_cast<T&&>(t); }
void InitGoogleLogging(const char* argv0); void ShutdownGoogleLogging(); void InstallFailureSignalHandler(); void InstallFailureFunction(void (*)()); void SetLogDestination(LogSeverity, const char*); void SetStderrLogging(LogSeverity); void LogToStderr(); void FlushLogFiles(LogSeverity); void AddLogSink(LogSink*); void RemoveLogSink(LogSink*); bool IsGoogleLoggingInitialized(); const char* GetLogSeverityName(LogSeverity);
namespace base { class Logger { public: virtual ~Logger(); virtual void Write(bool, time_t, const char*, int) = 0; virtual void Flush() = 0; }; Logger* GetLogger(LogSeverity); void SetLogger(LogSeverity, Logger*); }
namespace logging_internal { bool DummyUserCustomPrefix(); }
}
extern int FLAGS_v, FLAGS_minloglevel, FLAGS_stderrthreshold, FLAGS_logbufsecs, FLAGS_max_log_size; extern bool FLAGS_logtostderr, FLAGS_alsologtostderr, FLAGS_colorlogtostderr, FLAGS_log_prefix; extern std::string FLAGS_log_dir;
namespace fLI { using ::FLAGS_v; using ::FLAGS_minloglevel; using ::FLAGS_stderrthreshold; } namespace fLB { using ::FLAGS_logtostderr; } namespace fLS { using ::FLAGS_log_dir; }
#define LOSTUB_LOG(c) !(c) ? (void)0 : ::google::LogMessageVoidify() & ::google::lostub_log()
#define LOG(severity) ::google::lostub_log()
#define LOG_IF(severity, c) LOSTUB_LOG(c)
#define LOG_EVERY_N(severity, n) ::google::lostub_log()
#define LOG_FIRST_N(severity, n) ::google::lostub_log()
#define LOG_IF_EVERY_N(severity, c, n) LOSTUB_LOG(c)
#define LOG_EVERY_T(severity, t) ::google::lostub_log()
#define LOG_AT_LEVEL(severity) ::google::lostub_log()
#define LOG_ASSERT(c) LOSTUB_LOG(!(c))
#define SYSLOG(severity) ::google::lostub_log()
#define PLOG(severity) ::google::lostub_log()
#define PLOG_IF(severity, c) LOSTUB_LOG(c)
#define DLOG(severity) ::google::lostub_log()
#define DLOG_IF(severity, c) LOSTUB_LOG(c)
#define DLOG_EVERY_N(severity, n) ::google::lostub_log()
#define VLOG_IS_ON(n) ((n) <= FLAGS_v)
#define VLOG(n) LOSTUB_LOG(VLOG_IS_ON(n))
#define VLOG_IF(n, c) LOSTUB_LOG((c) && VLOG_IS_ON(n))
#define VLOG_EVERY_N(n, k) LOSTUB_LOG(VLOG_IS_ON(n))
#define DVLOG(n) VLOG(n)
#define RAW_LOG(severity, ...) ((void)0)
#define RAW_VLOG(n, ...) ((void)0)
#define RAW_CHECK(c, m) ((void)(c))
#define CHECK(c) LOSTUB_LOG(!(c))
#define PCHECK(c) LOSTUB_LOG(!(c))
#define QCHECK(c) LOSTUB_LOG(!(c))
#define CHECK_EQ(a, b) LOSTUB_LOG(!((a) == (b)))
#define CHECK_NE(a, b) LOSTUB_LOG(!((a) != (b)))
#define CHECK_LE(a, b) LOSTUB_LOG(!((a) <= (b)))
#define CHECK_LT(a, b) LOSTUB_LOG(!((a) < (b)))
#define CHECK_GE(a, b) LOSTUB_LOG(!((a) >= (b)))
#define CHECK_GT(a, b) LOSTUB_LOG(!((a) > (b)))
#define CHECK_STREQ(a, b) LOSTUB_LOG((a) != (b))
#define CHECK_STRNE(a, b) LOSTUB_LOG((a) == (b))
#define CHECK_STRCASEEQ(a, b) LOSTUB_LOG((a) != (b))
#define CHECK_INDEX(i, a) LOSTUB_LOG(!((i) < sizeof(a)))
#define CHECK_NEAR(a, b, m) LOSTUB_LOG((a) - (b) > (m))
#define CHECK_DOUBLE_EQ(a, b) LOSTUB_LOG(!((a) == (b)))
#define CHECK_ERR(c) LOSTUB_LOG((c) == -1)
#define CHECK_NOTNULL(p) ::google::lostub_notnull(p)
#define DCHECK(c) CHECK(c)
#define DPCHECK(c) CHECK(c)
#define DCHECK_EQ(a, b) CHECK_EQ(a, b)
#define DCHECK_NE(a, b) CHECK_NE(a, b)
#define DCHECK_LE(a, b) CHECK_LE(a, b)
#define DCHECK_LT(a, b) CHECK_LT(a, b)
#define DCHECK_GE(a, b) CHECK_GE(a, b)
#define DCHECK_GT(a, b) CHECK_GT(a, b)
#define DCHECK_STREQ(a, b) CHECK_STREQ(a, b)
#define DCHECK_NOTNULL(p) CHECK_NOTNULL(p)
