// Parse-only stand-in for TensorPipe: tensorpipe/common/nop.h.
#pragma once
#include <cstddef>
#include <cstdint>
namespace nop { template <class T> struct Status; template <> struct Status<void> { bool has_error() const; const char* GetErrorMessage() const; explicit operator bool() const; }; }
namespace tensorpipe { class NopReader final { public: NopReader(const uint8_t* ptr, size_t len); NopReader(const uint8_t* a, size_t n, const uint8_t* b, size_t m); }; class NopWriter final { public: NopWriter(uint8_t* ptr, size_t len); NopWriter(uint8_t* a, size_t n, uint8_t* b, size_t m); }; class AbstractNopHolder { public: virtual size_t getSize() const = 0; virtual nop::Status<void> write(NopWriter& writer) const = 0; virtual nop::Status<void> read(NopReader& reader) = 0; virtual ~AbstractNopHolder() = default; }; template <class T> class NopHolder : public AbstractNopHolder { public: T& getObject(); const T& getObject() const; size_t getSize() const override; nop::Status<void> write(NopWriter& writer) const override; nop::Status<void> read(NopReader& reader) override; }; }
