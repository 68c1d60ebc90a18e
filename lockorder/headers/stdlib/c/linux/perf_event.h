/* Parse-only stand-in for <linux/perf_event.h>. */
#pragma once
#include <linux/types.h>
struct perf_event_attr { __u32 type, size; __u64 config, sample_period, sample_type, read_format; __u64 disabled : 1, inherit : 1, pinned : 1, exclude_user : 1, exclude_kernel : 1, exclude_hv : 1; };
enum { PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE }; enum { PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS };
