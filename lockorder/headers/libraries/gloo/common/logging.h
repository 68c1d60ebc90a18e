// Parse-only stand-in for Gloo: gloo/common/logging.h.
#pragma once
#include <exception>
#include <functional>
#include <vector>
#include "gloo/common/string.h"
namespace gloo {
enum LogLevel { DEBUG, INFO, WARN, ERROR, UNSET };
LogLevel logLevel();
class EnforceNotMet : public std::exception { public: EnforceNotMet(const char* file, const int line, const char* condition, const std::string& msg); std::string msg() const; const std::vector<std::string>& msg_stack() const; const char* what() const noexcept override; };
namespace enforce_detail { template <class... A> bool lostub_enforce(bool ok, const A&... args); }
}
#define GLOO_LOG_MSG(level, ...) ((void)::gloo::MakeString(level, __VA_ARGS__))
#define GLOO_ERROR(...) GLOO_LOG_MSG("", __VA_ARGS__)
#define GLOO_WARN(...) GLOO_LOG_MSG("", __VA_ARGS__)
#define GLOO_INFO(...) GLOO_LOG_MSG("", __VA_ARGS__)
#define GLOO_DEBUG(...) GLOO_LOG_MSG("", __VA_ARGS__)
#define GLOO_ENFORCE(condition, ...) do { if (!(condition)) throw ::gloo::EnforceNotMet(__FILE__, __LINE__, #condition, ::gloo::MakeString(__VA_ARGS__)); } while (0)
#define GLOO_ENFORCE_EQ(x, y, ...) GLOO_ENFORCE((x) == (y), ##__VA_ARGS__)
#define GLOO_ENFORCE_NE(x, y, ...) GLOO_ENFORCE((x) != (y), ##__VA_ARGS__)
#define GLOO_ENFORCE_LE(x, y, ...) GLOO_ENFORCE((x) <= (y), ##__VA_ARGS__)
#define GLOO_ENFORCE_LT(x, y, ...) GLOO_ENFORCE((x) < (y), ##__VA_ARGS__)
#define GLOO_ENFORCE_GE(x, y, ...) GLOO_ENFORCE((x) >= (y), ##__VA_ARGS__)
#define GLOO_ENFORCE_GT(x, y, ...) GLOO_ENFORCE((x) > (y), ##__VA_ARGS__)
