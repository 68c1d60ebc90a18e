// Parse-only stand-in for TensorPipe: tensorpipe/core/error.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <string>
namespace tensorpipe { class LogicError final : public BaseError { public: explicit LogicError(std::string reason); std::string what() const override; }; class ContextClosedError final : public BaseError { public: explicit ContextClosedError() {} std::string what() const override; }; class ListenerClosedError final : public BaseError { public: explicit ListenerClosedError() {} std::string what() const override; }; class PipeClosedError final : public BaseError { public: explicit PipeClosedError() {} std::string what() const override; }; }
