// Parse-only stand-in for PyTorch: c10/util/Exception.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/StringUtil.h>
#include <cstdint>
#include <exception>
#include <memory>
#include <ostream>
#include <string>
#include <vector>
namespace c10 {
class Error : public std::exception {
 public:
  Error(SourceLocation source_location, std::string msg); Error(std::string msg, std::string backtrace, const void* caller = nullptr); Error(const char* file, const uint32_t line, const char* condition, const std::string& msg, const std::string& backtrace, const void* caller = nullptr);
  void add_context(std::string msg); const std::string& msg() const; const std::vector<std::string>& context() const; const std::string backtrace() const; const char* what() const noexcept override; const void* caller() const noexcept; virtual const char* what_without_backtrace() const noexcept;
};
#define LOSTUB_C10_ERROR(name, base) class name : public base { using base::base; };
LOSTUB_C10_ERROR(IndexError, Error) LOSTUB_C10_ERROR(ValueError, Error) LOSTUB_C10_ERROR(TypeError, Error) LOSTUB_C10_ERROR(NotImplementedError, Error) LOSTUB_C10_ERROR(BufferError, Error) LOSTUB_C10_ERROR(EnforceFiniteError, Error) LOSTUB_C10_ERROR(OnnxfiBackendSystemError, Error) LOSTUB_C10_ERROR(LinAlgError, Error) LOSTUB_C10_ERROR(OutOfMemoryError, Error) LOSTUB_C10_ERROR(SyntaxError, Error) LOSTUB_C10_ERROR(AcceleratorError, Error)
LOSTUB_C10_ERROR(DistError, Error) LOSTUB_C10_ERROR(DistBackendError, DistError) LOSTUB_C10_ERROR(DistStoreError, DistError) LOSTUB_C10_ERROR(DistNetworkError, DistError) LOSTUB_C10_ERROR(DistQueueEmptyError, DistStoreError)
class Warning { public: class UserWarning {}; class DeprecationWarning {}; };
class WarningHandler { public: virtual ~WarningHandler() = default; virtual void process(const Warning& warning); };
namespace WarningUtils { void set_warning_handler(WarningHandler* handler) noexcept(true); WarningHandler* get_warning_handler() noexcept(true); void set_warnAlways(bool) noexcept(true); bool get_warnAlways() noexcept(true); }
class ErrorAlwaysShowCppStacktrace : public Error { using Error::Error; };
std::string GetExceptionString(const std::exception& e);
void warn(const Warning& warning);
namespace detail {
[[noreturn]] void torchCheckFail(const char* func, const char* file, uint32_t line, const std::string& msg);
[[noreturn]] void torchCheckFail(const char* func, const char* file, uint32_t line, const char* msg);
[[noreturn]] void torchInternalAssertFail(const char* func, const char* file, uint32_t line, const char* condMsg, const char* userMsg);
[[noreturn]] void torchInternalAssertFail(const char* func, const char* file, uint32_t line, const char* condMsg, const std::string& userMsg);
template <class... A> std::string torchCheckMsgImpl(const char* msg, const A&... args);
template <class... A> void lostub_warn(const A&... args);
}
}
namespace at { using c10::Error; }
#define C10_BUILD_ERROR(err_type, msg) ::c10::err_type({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, msg)
#define C10_THROW_ERROR(err_type, msg) throw C10_BUILD_ERROR(err_type, msg)
#define C10_UNLIKELY_OR_CONST(e) C10_UNLIKELY(e)
#define TORCH_RETHROW(e, ...) do { e.add_context(::c10::str(__VA_ARGS__)); throw; } while (false)
#define TORCH_CHECK_MSG(cond, type, ...) (::c10::detail::torchCheckMsgImpl(#cond, ##__VA_ARGS__))
#define TORCH_CHECK(cond, ...) \
  if (C10_UNLIKELY_OR_CONST(!(cond))) { ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), TORCH_CHECK_MSG(cond, "", ##__VA_ARGS__)); }
#define TORCH_INTERNAL_ASSERT(cond, ...) \
  if (C10_UNLIKELY_OR_CONST(!(cond))) { ::c10::detail::torchInternalAssertFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), #cond, ::c10::str(__VA_ARGS__)); }
#define TORCH_CHECK_WITH_MSG(error_t, cond, type, ...) \
  if (C10_UNLIKELY_OR_CONST(!(cond))) { C10_THROW_ERROR(error_t, TORCH_CHECK_MSG(cond, type, ##__VA_ARGS__)); }
#define TORCH_CHECK_WITH(error_t, cond, ...) TORCH_CHECK_WITH_MSG(error_t, cond, "", ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(cond, ...) TORCH_CHECK_WITH_MSG(IndexError, cond, "INDEX", ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) TORCH_CHECK_WITH_MSG(ValueError, cond, "VALUE", ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) TORCH_CHECK_WITH_MSG(TypeError, cond, "TYPE", ##__VA_ARGS__)
#define TORCH_CHECK_LINALG(cond, ...) TORCH_CHECK_WITH_MSG(LinAlgError, cond, "LINALG", ##__VA_ARGS__)
#define TORCH_CHECK_BUFFER(cond, ...) TORCH_CHECK_WITH_MSG(BufferError, cond, "BUFFER", ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) TORCH_CHECK_WITH_MSG(NotImplementedError, cond, "TYPE", ##__VA_ARGS__)
#define TORCH_CHECK_ALWAYS_SHOW_CPP_STACKTRACE(cond, ...) TORCH_CHECK_WITH_MSG(ErrorAlwaysShowCppStacktrace, cond, "TYPE", ##__VA_ARGS__)
#define TORCH_CHECK_ARG(cond, argN, ...) TORCH_CHECK(cond, "invalid argument ", argN, ": ", ##__VA_ARGS__)
#define TORCH_CHECK_IF_NOT_ON_CUDA(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)
#define STD_TORCH_CHECK(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) while (false) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#endif
#define TORCH_WARN_WITH(warning_t, ...) ::c10::detail::lostub_warn(__VA_ARGS__)
#define TORCH_WARN(...) ::c10::detail::lostub_warn(__VA_ARGS__);
#define TORCH_WARN_DEPRECATION(...) ::c10::detail::lostub_warn(__VA_ARGS__);
#define TORCH_WARN_ONCE(...) ::c10::detail::lostub_warn(__VA_ARGS__);
#define AT_ERROR(...) do { ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), ::c10::str(__VA_ARGS__)); } while (false)
#define AT_ASSERT(...) do { TORCH_INTERNAL_ASSERT(__VA_ARGS__); } while (false)
#define AT_ASSERTM(cond, ...) do { TORCH_INTERNAL_ASSERT(cond, ##__VA_ARGS__); } while (false)
#define AT_CHECK(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)
#define AT_WARN(...) TORCH_WARN(__VA_ARGS__)
