// Parse-only stand-in for TensorPipe: tensorpipe/common/defs.h.
#pragma once
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#define likely(x) __builtin_expect((x) ? 1 : 0, 1)
#define unlikely(x) __builtin_expect((x) ? 1 : 0, 0)
namespace tensorpipe {
template <class E> struct lostub_thrown : E { template <class... A> lostub_thrown(A&&... args) : E(static_cast<A&&>(args)..., "") {} lostub_thrown(const lostub_thrown&) = default; lostub_thrown(lostub_thrown&) = default; lostub_thrown(lostub_thrown&&) = default; template <class T> lostub_thrown& operator<<(const T&) { return *this; } };
std::ostream& lostub_log(); std::error_code toErrorCode(ssize_t e); unsigned long getVerbosityLevel();
}
#define TP_STRINGIFY(s) #s
#define TP_EXPAND_TO_STR(s) TP_STRINGIFY(s)
#define TP_TRIM_FILENAME(s) (s)
#define TP_LOG_LOC __FILE__
#define TP_LOG_PREFFIX __func__
#define TP_THROW(ex_type, ...) throw ::tensorpipe::lostub_thrown<ex_type>(__VA_ARGS__) << TP_LOG_PREFFIX
#define TP_THROW_EINVAL() TP_THROW(std::invalid_argument)
#define TP_THROW_SYSTEM(err) TP_THROW(std::system_error, err, std::system_category())
#define TP_THROW_SYSTEM_IF(cond, err) if (unlikely(cond)) TP_THROW_SYSTEM(err)
#define TP_THROW_SYSTEM_CODE(err) TP_THROW(std::system_error, err)
#define TP_THROW_SYSTEM_CODE_IF(cond, err) if (unlikely(cond)) TP_THROW_SYSTEM_CODE(err)
#define TP_THROW_ASSERT() TP_THROW(std::runtime_error)
#define TP_THROW_ASSERT_IF(cond) if (unlikely(cond)) TP_THROW_ASSERT()
#define TP_THROW_IF_NULLPTR(ptr) if (unlikely((ptr) == nullptr)) TP_THROW_EINVAL()
#define TP_LOG_DEBUG() ::tensorpipe::lostub_log()
#define TP_LOG_INFO() ::tensorpipe::lostub_log()
#define TP_LOG_WARNING() ::tensorpipe::lostub_log()
#define TP_LOG_ERROR() ::tensorpipe::lostub_log()
#define TP_LOG_DEBUG_IF(cond) if (unlikely(cond)) TP_LOG_DEBUG()
#define TP_LOG_INFO_IF(cond) if (unlikely(cond)) TP_LOG_INFO()
#define TP_LOG_WARNING_IF(cond) if (unlikely(cond)) TP_LOG_WARNING()
#define TP_LOG_ERROR_IF(cond) if (unlikely(cond)) TP_LOG_ERROR()
#define TP_LOG_EXCEPTION(e) TP_LOG_ERROR() << (e).what()
#ifdef NDEBUG
#define LOSTUB_TP_DEBUG(a) while (false) TP_THROW_ASSERT_IF(!(a))
#define TP_DLOG() while (false) TP_LOG_DEBUG()
#define DEXCEPT noexcept(true)
#else
#define LOSTUB_TP_DEBUG(a) TP_THROW_ASSERT_IF(!(a))
#define TP_DLOG() TP_LOG_DEBUG()
#define DEXCEPT noexcept(false)
#endif
#define TP_DCHECK(a) LOSTUB_TP_DEBUG(a)
#define TP_DCHECK_EQ(a, b) LOSTUB_TP_DEBUG((a) == (b))
#define TP_DCHECK_NE(a, b) LOSTUB_TP_DEBUG((a) != (b))
#define TP_DCHECK_LT(a, b) LOSTUB_TP_DEBUG((a) < (b))
#define TP_DCHECK_LE(a, b) LOSTUB_TP_DEBUG((a) <= (b))
#define TP_DCHECK_GT(a, b) LOSTUB_TP_DEBUG((a) > (b))
#define TP_DCHECK_GE(a, b) LOSTUB_TP_DEBUG((a) >= (b))
#define TP_VLOG(level) TP_LOG_DEBUG_IF((level) <= ::tensorpipe::getVerbosityLevel())
#define TP_ARG_CHECK(a) if (unlikely(!(a))) TP_THROW_EINVAL()
#define TP_ARG_CHECK_EQ(a, b) TP_ARG_CHECK((a) == (b))
#define TP_ARG_CHECK_NE(a, b) TP_ARG_CHECK((a) != (b))
#define TP_ARG_CHECK_LT(a, b) TP_ARG_CHECK((a) < (b))
#define TP_ARG_CHECK_LE(a, b) TP_ARG_CHECK((a) <= (b))
#define TP_ARG_CHECK_GT(a, b) TP_ARG_CHECK((a) > (b))
#define TP_ARG_CHECK_GE(a, b) TP_ARG_CHECK((a) >= (b))
