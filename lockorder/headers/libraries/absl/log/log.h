// Parse-only stand-in for Abseil: absl/log/log.h.
#pragma once
#include <ostream>
#include <sstream>
namespace absl { namespace log_internal { std::ostream& lostub_log(); struct lostub_voidify { void operator&(std::ostream&) const {} }; } }
#define LOSTUB_ABSL_LOG(c) !(c) ? (void)0 : ::absl::log_internal::lostub_voidify() & ::absl::log_internal::lostub_log()
#ifndef LOG
#define LOG(severity) ::absl::log_internal::lostub_log()
#define PLOG(severity) ::absl::log_internal::lostub_log()
#define DLOG(severity) ::absl::log_internal::lostub_log()
#define VLOG(n) ::absl::log_internal::lostub_log()
#define DVLOG(n) ::absl::log_internal::lostub_log()
#define VLOG_IS_ON(n) ((n) < 1)
#define LOG_IF(severity, c) LOSTUB_ABSL_LOG(c)
#define PLOG_IF(severity, c) LOSTUB_ABSL_LOG(c)
#define DLOG_IF(severity, c) LOSTUB_ABSL_LOG(c)
#define LOG_EVERY_N(severity, n) ::absl::log_internal::lostub_log()
#define LOG_FIRST_N(severity, n) ::absl::log_internal::lostub_log()
#define LOG_EVERY_POW_2(severity) ::absl::log_internal::lostub_log()
#define LOG_EVERY_N_SEC(severity, n) ::absl::log_internal::lostub_log()
#endif
