/* What the shim's files share.
 *
 * Rules for code that runs inside a hook: no malloc, no stdio, no lock of any
 * kind, errno left as the real function left it. A hook can run before the
 * shim's constructor, on any thread, in a signal handler, and inside another
 * library's malloc.
 */
#ifndef LOCKORDER_SHIM_H
#define LOCKORDER_SHIM_H

#include "trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library is built with -fvisibility=hidden: only hooks carry this. */
#define LO_EXPORT __attribute__((visibility("default")))
#define LO_LIKELY(x) __builtin_expect(!!(x), 1)
#define LO_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LO_COLD __attribute__((cold, noinline))
/* For what several hooks share: LO_CALLER() is the hook's caller there, too. */
#define LO_ALWAYS_INLINE inline __attribute__((always_inline))

#define LO_CALLER() ((uintptr_t)__builtin_return_address(0))

/* Where the stack ends at this moment. A frame's address would keep a register for it. */
static inline uintptr_t lo_stack_pointer(void)
{
    uintptr_t now;
#if defined(__x86_64__)
    __asm__("mov %%rsp, %0" : "=r"(now));
#elif defined(__aarch64__)
    __asm__("mov %0, sp" : "=r"(now));
#endif
    return now;
}

/* Initial-exec TLS lies at a fixed offset from the thread pointer. The default
 * model of a shared object calls __tls_get_addr, which allocates the block on a
 * thread's first use: a malloc inside a hook. See ld.so(8) on preloading: a
 * preloaded object is there at start-up, so its TLS always fits. */
#define LO_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local

/* Every interposed function has a number; 0 is none. hooks.def lists them. */
enum lo_hook {
    LO_HOOK_NONE,
#define LIBC(name, waits, flags, version) LO_HOOK_##name,
#define IMPORT(name, waits, flags, result, params, args, object) LO_HOOK_##name,
#define IMPORT_OWN(name, waits, flags) LO_HOOK_##name,
#include "hooks.def"
#undef LIBC
#undef IMPORT
#undef IMPORT_OWN
    LO_HOOK_COUNT
};

typedef uint32_t lo_id; /* of a lock, stack, thread: from 1; 0 is none */

/* ---- hooks.c: what hooks.def says of each ------------------------------------------------ */

struct lo_hook_facts {
    const char *name;
    const char *version;
    void *wrapper; /* NULL: of libc, exported by the shim */
    uint16_t waits;
    uint16_t flags;
};

extern const struct lo_hook_facts lo_hooks[LO_HOOK_COUNT];

/* ---- resolve.c: the real functions ------------------------------------------------------ */

extern _Atomic(void *) lo_real_functions[LO_HOOK_COUNT];

void lo_resolve_all(void);
void *lo_resolve_late(enum lo_hook hook);

/* What a hook without a real function returns. */
int lo_unresolved_status(void);

static inline void *lo_real(enum lo_hook hook)
{
    /* Relaxed is enough: libc was mapped before any thread could start. */
    void *function = atomic_load_explicit(&lo_real_functions[hook], memory_order_relaxed);
    return LO_LIKELY(function != NULL) ? function : lo_resolve_late(hook);
}

#define LO_REAL(name) ((__typeof__(&name))lo_real(LO_HOOK_##name))

/* Declares `real`, the function that the hook of a pthread function stands in front of. */
#define LO_PTHREAD_REAL(name)                                                                      \
    __typeof__(&name) real = LO_REAL(name);                                                        \
    if (LO_UNLIKELY(real == NULL))                                                                 \
    return lo_unresolved_status()

/* ---- threads.c: what the shim knows of a thread ----------------------------------------- */

enum { LO_MAX_FRAMES = 40, LO_MAX_OTHERS = 64, LO_KEY_STACKS = 8 };

enum { LO_ROWS = 2048, LO_ROW = 4, LO_CALL_CACHE = 64, LO_TIMED_EVERY = 64 };
enum { LO_LEAVES = 1024, LO_SAMPLED = 512, LO_MAX_PASSING = 8 };

/* One step from a chain of held locks to a longer one, as this thread had it before. A new
 * acquisition looks here and nowhere else, but whether the lock is still the one. */
struct lo_transition {
    uint64_t
        key; /* the chain below, where the lock lies, how it was taken; or places, see held.c */
    uint32_t lock : 31;  /* 0: places */
    uint32_t goes : 1;   /* one that comes and goes */
    uint16_t stack;      /* where it was taken then, 0: not kept */
    uint16_t count : 12; /* acquisitions since this entry was last written to the lock's record */
    uint16_t life : 4;   /* the lowest bits of which of the locks with that number it was */
};

/* What the area in the trace has no room for: levels[i] is of the i locks that came first. */
struct lo_level {
    uint64_t hash;       /* of the chain */
    uint64_t place;      /* the same by places, where something in it comes and goes; 0 */
    uintptr_t address;   /* of its last lock, held[i - 1] */
    uint64_t since : 56; /* when that was taken (ns), for holds that are timed; 0 */
    uint64_t kind : 7;
    uint64_t inner : 1; /* taken by a library for itself: inner.c */
};

/* A lock that this thread has had on top of the same chain before, all of which is told, and how
 * often since it was last told. Of locks that come and go it stands for all that are taken in one
 * call: see lo_leaf_of_call(). */
struct lo_leaf {
    uint64_t key;    /* the chain below and where it lies, or the call */
    uint64_t above;  /* the chain with it */
    lo_id lock;      /* 0: of a call */
    uint16_t stamp;  /* see lo_stamp_of() */
    uint16_t rests;  /* so many more times it need not be told: one in LO_TIMED_EVERY is */
    uint16_t nested; /* so many more times something is expected to happen under it */
};

struct lo_cached_call {
    uint64_t key;
    struct lo_blocked_record *record;
};

/* Written in full; what this thread has above it later is told by the difference. */
struct lo_key_stack {
    lo_id id;
    uint32_t frames;
    uint64_t pc[LO_MAX_FRAMES];
};

enum { LO_MAX_PYTHON = 96 };

/* The functions of Python in a stack that has a whole record, for those that share its outer ones.
 */
struct lo_python_key {
    lo_id stack;
    uint32_t frames;
    uint32_t entry[LO_MAX_PYTHON];
};

/* A stack as it was unwound, innermost first. */
struct lo_frames {
    uint32_t count;
    uint32_t skip;
    bool truncated;
    uint64_t pc[LO_MAX_FRAMES];
    uintptr_t sp[LO_MAX_FRAMES];       /* at the frame's call of the next */
    uintptr_t function[LO_MAX_FRAMES]; /* where its code begins */
};

struct lo_thread {
    /* Every acquisition and release uses these; they are one cache line. */
    struct lo_thread_area *area; /* in the trace file */
    uintptr_t busy_frame;        /* of the function that began it; UINTPTR_MAX */
    uint32_t busy;               /* inside a hook's own work */
    uint32_t depth;              /* of area->held; kept here too, since a file can be torn */
    _Atomic uintptr_t lowest_stack_lock; /* on this thread's stack, whoever took it */
    uint64_t ticks;                      /* acquisitions, to time one in LO_TIMED_EVERY */
    uint32_t rest;        /* acquisitions that are still to be left out: thinning.c */
    uint32_t awake;       /* those to be recorded until then; 0, and rest too: all are */
    uint32_t unseen;      /* locks left out that it has not given back */
    uint32_t passing;     /* locks that it has taken and that tell nothing yet: passing.c */
    uint32_t late;        /* what is being told was taken before: the stack is another one by now */
    uint32_t inner_rests; /* calls of libraries that are not looked at: passing.c */
    struct lo_level levels[LO_MAX_HELD + 2]; /* the last is only looked at */
    _Alignas(64) struct lo_transition transitions[LO_ROWS][LO_ROW];
    uint32_t overflow; /* locks held that the area has no room for */
    uint32_t index;
    uint32_t tid;
    uint32_t former_tid; /* before a fork: what it held then has this owner */
    uint64_t passed;     /* how many passed that come and go, and of libraries' */
    uint64_t inner_passed;
    uint64_t above[LO_MAX_PASSING]; /* the chains with those that pass */
    _Alignas(64) struct lo_leaf leaves[LO_LEAVES][2];
    uint64_t sampled[LO_SAMPLED]; /* see lo_inner_way() */
    uint32_t inner_looks;         /* calls of libraries that were looked at */
    uint32_t rested;              /* acquisitions left out since the last plan */
    uint32_t woke;                /* acquisitions that were to be recorded since the last plan */
    uint32_t told_rested;         /* of those left out since then, what the trace counts already */
    uint64_t cpu_then;            /* its CPU time (ns) at that time */
    uint32_t calls;               /* depth of waiting calls: only the outermost counts */
    uintptr_t call_frame;         /* of the outermost one's beginning */
    uintptr_t stack_low, stack_high;
    struct lo_block *records; /* the block this thread appends to */
    struct lo_thread *next_free;
    struct lo_key_stack keys[LO_KEY_STACKS];
    uint32_t next_key;
    struct lo_python_key python;
    struct lo_held_lock *taking; /* a lock that is being learned, while its stack is unwound */
    uint32_t frame_births;       /* how many locks there had been at the last unwinding */
    struct lo_frames frames;     /* of that, for locks on the stack; none where it was cut short */
    struct lo_cached_call blocked[LO_CALL_CACHE];
    /* When it forked, for the child: what it held, and what others did. */
    uint32_t fork_depth, others;
    struct lo_held_lock at_fork[LO_MAX_HELD];
    struct lo_held_lock held_by_others[LO_MAX_OTHERS];
};

extern LO_THREAD_LOCAL struct lo_thread *lo_self;
extern LO_THREAD_LOCAL bool lo_never;        /* this thread is not recorded */
extern LO_THREAD_LOCAL size_t lo_stack_size; /* of this thread, where its creation was seen */

struct lo_thread *lo_thread_begin(void);
void lo_thread_setup(void);
void lo_threads_forget(void);
uint32_t lo_threads_copy_held(struct lo_held_lock *out, uint32_t room, uint32_t except);
bool lo_threads_hold(uint32_t lock);
struct lo_thread *lo_thread_with_stack(uintptr_t address); /* NULL: on nobody's stack */

/* Around a hook's own work. A signal's handler may lock in the middle of it: that records nothing,
 * and what it takes it has given back when it returns. */
static inline void lo_busy(struct lo_thread *thread)
{
    if (thread->busy++ == 0)
        thread->busy_frame = lo_stack_pointer();
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void lo_idle(struct lo_thread *thread)
{
    atomic_signal_fence(memory_order_seq_cst);
    if (--thread->busy == 0)
        thread->busy_frame = UINTPTR_MAX;
}

struct lo_thread *lo_enter_busy(struct lo_thread *thread, uintptr_t frame);
void lo_settle(struct lo_thread *thread); /* passing.c */
bool lo_frame_is_gone(const struct lo_thread *thread, uintptr_t then, uintptr_t now);

/* The thread's state, or NULL where nothing is recorded: before the shim is ready, inside its
 * own work, for a thread that there was no room for. */
static inline struct lo_thread *lo_enter(void)
{
    struct lo_thread *thread = lo_self;
    if (LO_LIKELY(thread != NULL && thread->busy == 0 && thread->passing == 0))
        return thread;
    return lo_enter_busy(thread, lo_stack_pointer());
}

/* ---- stacks.c, trace.c ------------------------------------------------------------------- */

void lo_stacks_setup(void);
void lo_stacks_after_fork(void);
lo_id lo_stack_here(struct lo_thread *thread); /* 0: past the limit */
lo_id lo_stack_of_python(struct lo_thread *thread, uintptr_t pc);
bool lo_may_unwind_freely(uintptr_t pc);

extern struct lo_header *lo_trace; /* NULL: nothing is recorded */
/* How often a thread has had the trace open to grow it; the descriptor is not the program's. */
extern _Atomic uint32_t lo_trace_opens, lo_trace_closes;

bool lo_trace_open(bool forked);
void lo_begin_trace(void);
struct lo_block *lo_trace_block(enum lo_block_kind kind, uint16_t pages, uint32_t thread);
void *lo_trace_reserve(struct lo_thread *thread, size_t size); /* NULL: no room */
void lo_trace_commit(struct lo_thread *thread, size_t size);
void *lo_map(size_t size);                /* zeroed private memory, NULL: none */
void lo_clear(void *memory, size_t size); /* of lo_map: zeros again */
uint64_t lo_now(void);                    /* CLOCK_MONOTONIC, ns */

static inline void lo_count(enum lo_counter counter, uint64_t n)
{
    if (lo_trace != NULL)
        atomic_fetch_add_explicit(&lo_trace->counters[counter], n, memory_order_relaxed);
}

/* ---- thread_hooks.c ----------------------------------------------------------------------- */

void lo_thread_hooks_setup(void);
void lo_starts_forget(void);

/* ---- thinning.c --------------------------------------------------------------------------- */

extern uint32_t lo_budget; /* of CPU time that recording may take, in millionths; 0: all it needs */

void lo_thinning_setup(void);
void lo_thinning_begin(struct lo_thread *thread);
void lo_thinning_count(struct lo_thread *thread);
bool lo_rest_begins(struct lo_thread *thread);
void lo_rest_ends(struct lo_thread *thread);
void lo_thinning_goes_on(struct lo_thread *thread, const struct lo_thread *former);

/* Whether an acquisition is to be left out. */
static inline bool lo_rests(struct lo_thread *thread)
{
    if (LO_LIKELY((thread->rest | thread->awake) == 0))
        return false;
    return thread->rest != 0 || (LO_UNLIKELY(--thread->awake == 0) && lo_rest_begins(thread));
}

/* A lock was taken that is left out. */
static inline void lo_leave_out(struct lo_thread *thread)
{
    thread->unseen++;
    thread->rested++;
    if (thread->rest > 1)
        thread->rest--;
}

/* One of those was given back. With none left the thread may record again: no chain of locks that
 * is recorded lacks one. */
static inline void lo_left_out_ends(struct lo_thread *thread)
{
    if (--thread->unseen == 0 && thread->rest == 1)
        lo_rest_ends(thread);
}

/* ---- fork.c ------------------------------------------------------------------------------- */

void lo_fork_setup(void);
bool lo_loader_enter(void); /* false: ld.so must be left alone */
void lo_loader_leave(void);
bool lo_loader_may_be_locked(void);
void lo_loader_is_free(void);

/* ---- memory_hooks.c ----------------------------------------------------------------------- */

void lo_memory_setup(void);

/* ---- exec_hooks.c ------------------------------------------------------------------------- */

void lo_started_unrecorded(struct lo_header *parents);

/* ---- got.c, python_hooks.c ---------------------------------------------------------------- */

void lo_objects_changed(void); /* patch what was loaded since the last time */
void lo_objects_after_fork(void);
void lo_objects_gone(struct lo_thread *thread, uint32_t births);
bool lo_in_object(uintptr_t address);
bool lo_is_import(const char *name);
void *lo_import_wrapper(const char *name, void *found);
void *lo_find_defined(const char *name); /* lookup.c */
void *lo_find_only(const char *name);

/* A loaded file: by its program headers, NULL for none, and by what is added to its addresses. */
struct lo_object {
    const void *headers;
    uintptr_t base;
};
struct dl_phdr_info;
bool lo_object_has(const struct dl_phdr_info *info, uintptr_t address);
struct lo_object lo_object_of(const void *address);
bool lo_in_python(uintptr_t pc);

/* ---- inner.c ------------------------------------------------------------------------------- */

bool lo_is_inner_file(const char *path);
void lo_inner_setup(void);
void lo_inner_loaded(const char *path, uintptr_t start, uintptr_t end);
void lo_inner_gone(uintptr_t start);

void lo_python_setup(void);
bool lo_gil_held(void);
extern _Atomic bool lo_python_loaded;
extern _Atomic uint32_t lo_python_flags; /* LO_PYTHON_* of lo_process_flag */

/* ---- NCCL: communicators.c, nccl_calls.c, groups.c; see nccl.h ------------------------------ */

void lo_nccl_setup(void);
void lo_nccl_after_fork(void);
void lo_group_sync(enum lo_hook hook, uintptr_t pc); /* a call that waits for the device begins */
void lo_group_at_exit(struct lo_thread *thread);

#endif
