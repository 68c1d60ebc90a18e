// Parse-only stand-in for Folly: folly/synchronization/SanitizeThread.h.
#pragma once
namespace folly { class annotate_ignore_thread_sanitizer_guard { public: annotate_ignore_thread_sanitizer_guard(const char*, int); ~annotate_ignore_thread_sanitizer_guard(); }; void annotate_mutex_acquired(const void*, int, const char*, int); void annotate_benign_race_sized(const volatile void*, long, const char*, const char*, int); }
