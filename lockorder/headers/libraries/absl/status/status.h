// Parse-only stand-in for Abseil: absl/status/status.h.
#pragma once
#include <functional>
#include <ostream>
#include <string>
#include "../strings/string_view.h"
namespace absl {
enum class StatusCode : int { kOk = 0, kCancelled, kUnknown, kInvalidArgument, kDeadlineExceeded, kNotFound, kAlreadyExists, kPermissionDenied, kResourceExhausted, kFailedPrecondition, kAborted, kOutOfRange, kUnimplemented, kInternal, kUnavailable, kDataLoss, kUnauthenticated };
std::string StatusCodeToString(StatusCode); std::ostream& operator<<(std::ostream&, StatusCode); enum class StatusToStringMode : int { kDefault };
class Status { public: Status(); Status(StatusCode code, string_view msg); bool ok() const; StatusCode code() const; int raw_code() const; string_view message() const; std::string ToString() const; std::string ToString(StatusToStringMode) const; void Update(const Status&); void IgnoreError() const; template <class T> void SetPayload(string_view, T); bool ErasePayload(string_view); friend bool operator==(const Status&, const Status&); friend bool operator!=(const Status&, const Status&); };
std::ostream& operator<<(std::ostream&, const Status&); Status OkStatus();
#define LOSTUB_ST(n) Status n##Error(string_view message); bool Is##n(const Status& status);
LOSTUB_ST(Aborted) LOSTUB_ST(AlreadyExists) LOSTUB_ST(Cancelled) LOSTUB_ST(DataLoss) LOSTUB_ST(DeadlineExceeded) LOSTUB_ST(FailedPrecondition) LOSTUB_ST(Internal) LOSTUB_ST(InvalidArgument) LOSTUB_ST(NotFound) LOSTUB_ST(OutOfRange) LOSTUB_ST(PermissionDenied) LOSTUB_ST(ResourceExhausted) LOSTUB_ST(Unauthenticated) LOSTUB_ST(Unavailable) LOSTUB_ST(Unimplemented) LOSTUB_ST(Unknown)
#undef LOSTUB_ST
Status ErrnoToStatus(int, string_view); Status CancelledError();
}
