// Parse-only stand-in for TensorPipe: tensorpipe/common/error.h.
#pragma once
#include <memory>
#include <string>
#include <vector>
namespace tensorpipe {
class BaseError { public: virtual ~BaseError() = default; virtual std::string what() const = 0; };
class Error final { public: static const Error kSuccess; Error(); template <class T> Error(std::shared_ptr<T> error, std::string file, int line) {} ~Error() = default; operator bool() const; template <class T> std::shared_ptr<T> castToType() const; template <class T> bool isOfType() const; std::string what() const; };
class SystemError final : public BaseError { public: explicit SystemError(const char* syscall, int error); std::string what() const override; int errorCode() const; };
class ShortReadError final : public BaseError { public: ShortReadError(ssize_t expected, ssize_t actual); std::string what() const override; };
class ShortWriteError final : public BaseError { public: ShortWriteError(ssize_t expected, ssize_t actual); std::string what() const override; };
class EOFError final : public BaseError { public: EOFError() {} std::string what() const override; };
}
