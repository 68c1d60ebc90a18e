// Parse-only stand-in for NCCL's own: debug.h.
#pragma once
#include <nccl.h>
#include <nccl_common.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <chrono>
#include <type_traits>
extern int ncclDebugLevel; extern uint64_t ncclDebugMask; extern FILE* ncclDebugFile; extern thread_local int ncclDebugNoWarn; extern char ncclLastError[];
void ncclDebugLog(ncclDebugLogLevel level, unsigned long flags, const char* filefunc, int line, const char* fmt, ...);
template <class T> void ncclSetThreadName(T&& thread, const char* fmt, ...);
#ifndef VERSION
#define VERSION(...) ncclDebugLog(NCCL_LOG_VERSION, NCCL_ALL, __FILE__, __LINE__, __VA_ARGS__)
#endif
#ifndef WARN
#define WARN(...) ncclDebugLog(NCCL_LOG_WARN, NCCL_ALL, __FILE__, __LINE__, __VA_ARGS__)
#endif
#ifndef INFO
#define INFO(FLAGS, ...) ncclDebugLog(NCCL_LOG_INFO, (FLAGS), __func__, __LINE__, __VA_ARGS__)
#endif
#define INFO_LOC(FLAGS, ...) INFO(FLAGS, __VA_ARGS__)
#ifndef TRACE
#define TRACE(FLAGS, ...) ncclDebugLog(NCCL_LOG_TRACE, (FLAGS), __func__, __LINE__, __VA_ARGS__)
#endif
#define TRACE_CALL(...) ncclDebugLog(NCCL_LOG_TRACE, NCCL_CALL, __func__, __LINE__, __VA_ARGS__)
#define NOWARN(EXPR, FLAGS) do { int lostub_old = ncclDebugNoWarn; ncclDebugNoWarn = FLAGS; (EXPR); ncclDebugNoWarn = lostub_old; } while (0)
