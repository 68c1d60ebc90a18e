// Parse-only stand-in for Abseil: absl/synchronization/notification.h.
#pragma once
#include "../time/time.h"
namespace absl { class Notification { public: Notification(); explicit Notification(bool prenotify); ~Notification(); bool HasBeenNotified() const; void WaitForNotification() const; bool WaitForNotificationWithTimeout(Duration timeout) const; bool WaitForNotificationWithDeadline(Time deadline) const; void Notify(); }; }
