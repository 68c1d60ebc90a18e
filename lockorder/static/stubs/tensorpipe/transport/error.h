// Parse-only stand-in for TensorPipe: tensorpipe/transport/error.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <string>
namespace tensorpipe { namespace transport { class ContextClosedError final : public BaseError { public: ContextClosedError() {} std::string what() const override; }; class ListenerClosedError final : public BaseError { public: ListenerClosedError() {} std::string what() const override; }; class ConnectionClosedError final : public BaseError { public: ConnectionClosedError() {} std::string what() const override; }; class ContextNotViableError final : public BaseError { public: ContextNotViableError() {} std::string what() const override; }; } }
