/* What the shim's files share.
 *
 * Rules for code that runs inside a hook: no malloc, no stdio, no lock of any
 * kind, errno left as the real function left it. A hook can run before the
 * shim's constructor, on any thread, and inside another library's malloc.
 */
#ifndef LOCKORDER_SHIM_H
#define LOCKORDER_SHIM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The library is built with -fvisibility=hidden: only hooks carry this. */
#define LO_EXPORT __attribute__((visibility("default")))

/* Initial-exec TLS lies at a fixed offset from the thread pointer. The default
 * model of a shared object calls __tls_get_addr, which allocates the block on a
 * thread's first use: a malloc inside a hook. See ld.so(8) on preloading: a
 * preloaded object is there at start-up, so its TLS always fits. */
#define LO_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local

enum lo_hook {
#define HOOK(name, effect, version, params, args) LO_HOOK_##name,
#include "hooks.def"
#undef HOOK
    LO_HOOK_COUNT
};

/* resolve.c: the real functions. */

extern _Atomic(void *) lo_real_functions[LO_HOOK_COUNT];

void lo_resolve_all(void);

/* Finds the real functions now; NULL when this one cannot be had. */
void *lo_resolve_late(enum lo_hook hook);

/* What a hook without a real function returns. */
int lo_unresolved_status(void);

static inline void *lo_real(enum lo_hook hook)
{
    /* Relaxed is enough: libc was mapped before any thread could start. */
    void *function = atomic_load_explicit(&lo_real_functions[hook], memory_order_relaxed);
    return __builtin_expect(function != NULL, 1) ? function : lo_resolve_late(hook);
}

/* held.c: how many locks this thread holds. Touches only the thread's own state. */

unsigned lo_held_push(void); /* returns the new depth */
void lo_held_pop(void);

/* counters.c: how often each hook was called, by all threads. */

struct lo_totals {
    uint64_t calls[LO_HOOK_COUNT];
    uint64_t max_depth;
    uint64_t threads; /* that called at least one hook */
};

void lo_count_call(enum lo_hook hook);
void lo_count_depth(unsigned depth);
void lo_counters_sum(struct lo_totals *totals);
void lo_counters_restart(void); /* only while this is the sole thread */

/* report.c: the count file. */

void lo_report_prepare(void);
void lo_report_write(void);

#endif
