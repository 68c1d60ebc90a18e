// Parse-only stand-in for PyTorch: c10/core/StreamGuard.h.
#pragma once
#include <c10/core/Stream.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Optional.h>
namespace c10 {
struct StreamGuard { explicit StreamGuard() = delete; explicit StreamGuard(Stream stream); ~StreamGuard(); StreamGuard(const StreamGuard&) = delete; void reset_stream(Stream stream); Stream original_stream() const; Stream current_stream() const; Device current_device() const; Device original_device() const; };
struct OptionalStreamGuard { explicit OptionalStreamGuard(); explicit OptionalStreamGuard(Stream stream); explicit OptionalStreamGuard(c10::optional<Stream> stream); ~OptionalStreamGuard(); void reset_stream(Stream stream); c10::optional<Stream> original_stream() const; c10::optional<Stream> current_stream() const; void reset(); };
struct MultiStreamGuard { explicit MultiStreamGuard() = delete; explicit MultiStreamGuard(ArrayRef<Stream> streams); ~MultiStreamGuard(); };
}
