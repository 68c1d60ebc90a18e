/* What communicators cost: footprint.c and usage.c, and who calls them. */
#ifndef LOCKORDER_FOOTPRINT_H
#define LOCKORDER_FOOTPRINT_H

#include "nccl.h"

#include <sys/types.h>

/* ---- usage.c: what a process has ----------------------------------------------------------- */

void lo_usage_setup(void); /* finds what it asks the CUDA driver with; again and again is fine */
void lo_usage_take(struct lo_usage *usage);
ssize_t lo_read_file(const char *path, char *to, size_t room); /* ended by a zero; -1: none */
uint64_t lo_number_after(const char *text, const char *name);

/* ---- footprint.c ---------------------------------------------------------------------------- */

/* Open windows: somebody makes communicators, or uses them for the first time. */
extern _Atomic uint32_t lo_footprint_windows;

enum lo_asked { LO_ASKED_HOST, LO_ASKED_DEVICE };
void lo_footprint_asks(enum lo_asked what, size_t size, uintptr_t pc);

/* Memory was asked for: it costs a load where no window is open. */
static inline void lo_footprint_asked(enum lo_asked what, size_t size, uintptr_t pc, int status)
{
    if (LO_UNLIKELY(atomic_load_explicit(&lo_footprint_windows, memory_order_relaxed) != 0) &&
        status == 0)
        lo_footprint_asks(what, size, pc);
}

void lo_footprint_begin(struct lo_nccl_call *call, uint16_t flags);
void lo_footprint_end(const struct lo_nccl_call *call);
void lo_footprint_after_fork(void);

#endif
