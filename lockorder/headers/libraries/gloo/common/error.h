// Parse-only stand-in for Gloo: gloo/common/error.h.
#pragma once
#include <chrono>
#include <exception>
#include <stdexcept>
#include "gloo/common/string.h"
namespace gloo {
struct Exception : public std::runtime_error { Exception() = delete; explicit Exception(const std::string& msg); };
struct InvalidOperationException : public Exception { explicit InvalidOperationException(const std::string& msg); };
struct IoException : public Exception { explicit IoException(const std::string& msg); };
}
#define GLOO_ERROR_MSG(...) ::gloo::MakeString(__VA_ARGS__)
#define GLOO_THROW(...) throw ::gloo::Exception(GLOO_ERROR_MSG(__VA_ARGS__))
#define GLOO_THROW_INVALID_OPERATION_EXCEPTION(...) throw ::gloo::InvalidOperationException(GLOO_ERROR_MSG(__VA_ARGS__))
#define GLOO_THROW_IO_EXCEPTION(...) throw ::gloo::IoException(GLOO_ERROR_MSG(__VA_ARGS__))
