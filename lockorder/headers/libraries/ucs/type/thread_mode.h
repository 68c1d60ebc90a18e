// Parse-only stand-in for UCX's ucs/type/thread_mode.h.
#pragma once
typedef enum { UCS_THREAD_MODE_SINGLE, UCS_THREAD_MODE_SERIALIZED, UCS_THREAD_MODE_MULTI, UCS_THREAD_MODE_LAST } ucs_thread_mode_t;
