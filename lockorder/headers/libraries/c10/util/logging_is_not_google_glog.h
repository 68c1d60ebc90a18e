// Parse-only stand-in for PyTorch: c10/util/logging_is_not_google_glog.h.
#pragma once
#include <c10/util/Exception.h>
#include <iomanip>
#include <ostream>
namespace c10 {
const int GLOG_INFO = 0, GLOG_WARNING = 1, GLOG_ERROR = 2, GLOG_FATAL = 3;
namespace detail { std::ostream& lostub_log(); struct LoggerVoidify { void operator&(const std::ostream&) {} }; template <class T> T& lostub_notnull(T& t) { return t; } template <class T> T* lostub_notnull(T* t) { return t; } }
}
#define LOSTUB_C10_LOG(c) !(c) ? (void)0 : ::c10::detail::LoggerVoidify() & ::c10::detail::lostub_log()
#define LOG(n) ::c10::detail::lostub_log()
#define LOG_AT_FILE_LINE(n, file, line) ::c10::detail::lostub_log()
#define LOG_IF(n, condition) LOSTUB_C10_LOG(condition)
#define VLOG_IS_ON(verboselevel) ((verboselevel) <= 0)
#define VLOG(n) LOSTUB_C10_LOG(VLOG_IS_ON(n))
#define VLOG_IF(n, condition) LOSTUB_C10_LOG(VLOG_IS_ON(n) && (condition))
#define DLOG(n) ::c10::detail::lostub_log()
#define FATAL_IF(condition) LOSTUB_C10_LOG(!(condition))
#define CHECK(condition) FATAL_IF(condition)
#define DCHECK(condition) FATAL_IF(condition)
#define TORCH_CHECK_OP(val1, val2, op) FATAL_IF((val1)op(val2))
#define TORCH_CHECK_EQ(val1, val2) TORCH_CHECK_OP(val1, val2, ==)
#define TORCH_CHECK_NE(val1, val2) TORCH_CHECK_OP(val1, val2, !=)
#define TORCH_CHECK_LE(val1, val2) TORCH_CHECK_OP(val1, val2, <=)
#define TORCH_CHECK_LT(val1, val2) TORCH_CHECK_OP(val1, val2, <)
#define TORCH_CHECK_GE(val1, val2) TORCH_CHECK_OP(val1, val2, >=)
#define TORCH_CHECK_GT(val1, val2) TORCH_CHECK_OP(val1, val2, >)
#define TORCH_DCHECK_EQ(val1, val2) TORCH_CHECK_OP(val1, val2, ==)
#define TORCH_DCHECK_NE(val1, val2) TORCH_CHECK_OP(val1, val2, !=)
#define TORCH_DCHECK_LE(val1, val2) TORCH_CHECK_OP(val1, val2, <=)
#define TORCH_DCHECK_LT(val1, val2) TORCH_CHECK_OP(val1, val2, <)
#define TORCH_DCHECK_GE(val1, val2) TORCH_CHECK_OP(val1, val2, >=)
#define TORCH_DCHECK_GT(val1, val2) TORCH_CHECK_OP(val1, val2, >)
#define TORCH_CHECK_NOTNULL(val) ::c10::detail::lostub_notnull(val)
#define TORCH_DCHECK_NOTNULL(val) ::c10::detail::lostub_notnull(val)
