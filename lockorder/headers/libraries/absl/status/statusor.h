// Parse-only stand-in for Abseil: absl/status/statusor.h.
#pragma once
#include "status.h"
#include <utility>
namespace absl {
template <class T> class StatusOr { public: typedef T value_type; StatusOr(); StatusOr(const Status&); StatusOr(Status&&); StatusOr(const T&); StatusOr(T&&); template <class U, class = typename std::enable_if<std::is_constructible<T, U&&>::value>::type> StatusOr(U&&) {} StatusOr(const StatusOr&); StatusOr(StatusOr&&); StatusOr& operator=(const StatusOr&); StatusOr& operator=(StatusOr&&); bool ok() const; const Status& status() const&; Status status() &&; const T& value() const&; T& value() &; T&& value() &&; const T& operator*() const&; T& operator*() &; T&& operator*() &&; const T* operator->() const; T* operator->(); template <class U> T value_or(U&&) const; void IgnoreError() const; template <class... A> T& emplace(A&&...); };
}
