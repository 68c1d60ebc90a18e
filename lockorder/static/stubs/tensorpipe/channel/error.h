// Parse-only stand-in for TensorPipe: tensorpipe/channel/error.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <string>
namespace tensorpipe { namespace channel { class ContextClosedError final : public BaseError { public: ContextClosedError() {} std::string what() const override; }; class ChannelClosedError final : public BaseError { public: ChannelClosedError() {} std::string what() const override; }; class ContextNotViableError final : public BaseError { public: ContextNotViableError() {} std::string what() const override; }; } }
