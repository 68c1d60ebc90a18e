// Parse-only stand-in for Gloo: gloo/transport/tcp/error.h.
#pragma once
#include <string>
#include "gloo/transport/tcp/address.h"
namespace gloo { namespace transport { namespace tcp {
class Error { public: static const Error kSuccess; virtual ~Error() = default; operator bool() const; virtual std::string what() const; protected: explicit Error(bool valid); };
class SystemError : public Error { public: explicit SystemError(const char* syscall, int error, Address remote = Address()); std::string what() const override; };
class ShortReadError : public Error { public: ShortReadError(ssize_t expected, ssize_t actual, Address remote = Address()); std::string what() const override; };
class ShortWriteError : public Error { public: ShortWriteError(ssize_t expected, ssize_t actual, Address remote = Address()); std::string what() const override; };
class TimeoutError : public Error { public: explicit TimeoutError(std::string msg); std::string what() const override; };
class LoopError : public Error { public: explicit LoopError(std::string msg); std::string what() const override; };
} } }
