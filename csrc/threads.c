/* What the shim knows of each thread: its area in the trace, and its private tables.
 *
 * A thread is known from its first call of a hook, or from its creation where that was ours to
 * see. It ends with its thread-specific data; the private part is used again by another.
 */
#include "locks.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_THREADS = 1 << 16, THREAD_PAGES = 2, STACK_GRAIN = 1 << 20, STACK_BITS = 1 << 18 };

LO_THREAD_LOCAL struct lo_thread *lo_self;
LO_THREAD_LOCAL bool lo_never;

static _Atomic uint32_t thread_count;
static _Atomic(struct lo_thread_area *) *areas; /* by index */
static _Atomic(struct lo_thread *) *threads;    /* by index, while they live */
static _Atomic(struct lo_thread *) free_threads;
static _Atomic uint32_t free_guard;
static pthread_key_t key;
static _Atomic bool ready;
static size_t main_stack = (size_t)8 << 20;

LO_THREAD_LOCAL size_t lo_stack_size;

extern void *__libc_stack_end; /* ld.so's: where the first thread's stack begins */

static void thread_ends(void *value);

void lo_thread_setup(void)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < (rlim_t)64 << 20)
        main_stack = stack.rlim_cur;
    areas = lo_map(MAX_THREADS * sizeof *areas);
    threads = lo_map(MAX_THREADS * sizeof *threads);
    if (areas != NULL && threads != NULL && pthread_key_create(&key, thread_ends) == 0)
        atomic_store(&ready, true);
}

/* A stack of structures that are never unmapped: others may still be looking at one. Whoever takes
 * is alone with the guard, so that what it compares cannot have been away and come back. */
static struct lo_thread *take_free(void)
{
    struct lo_thread *found = NULL;
    if (atomic_load(&free_threads) != NULL && atomic_exchange(&free_guard, 1) == 0) {
        found = atomic_load(&free_threads);
        while (found != NULL &&
               !atomic_compare_exchange_weak(&free_threads, &found, found->next_free))
            ;
        atomic_store(&free_guard, 0);
    }
    if (found != NULL)
        memset((void *)found, 0, sizeof *found);
    return found != NULL ? found : lo_map(sizeof *found);
}

static void give_back(struct lo_thread *thread)
{
    thread->next_free = atomic_load(&free_threads);
    while (!atomic_compare_exchange_weak(&free_threads, &thread->next_free, thread))
        ;
}

/* A bit for each MiB that has had a stack in it: each new lock is asked whether it lies on one, and
 * hardly any does. */
static _Atomic uint64_t stack_filter[STACK_BITS / 64];

static inline _Atomic uint64_t *stack_word(uintptr_t grain)
{
    return &stack_filter[grain / 64 % (STACK_BITS / 64)];
}

static void note_stack(uintptr_t low, uintptr_t high)
{
    uintptr_t grain = low / STACK_GRAIN, last = high / STACK_GRAIN;
    if (last - grain >= STACK_BITS)
        grain = last - STACK_BITS + 1;
    for (; grain <= last; grain++)
        atomic_fetch_or(stack_word(grain), (uint64_t)1 << grain % 64);
}

/* pthread_getattr_np(3) allocates. A thread's descriptor, which pthread_self() points to, lies at
 * the upper end of its stack; how long that is, its creator was asked. */
static void find_stack(struct lo_thread *thread)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (syscall(SYS_gettid) == getpid()) {
        thread->stack_high = (uintptr_t)__libc_stack_end;
        thread->stack_low = thread->stack_high - main_stack;
    } else {
        thread->stack_high = (uintptr_t)pthread_self();
        thread->stack_low = thread->stack_high - (lo_stack_size != 0 ? lo_stack_size : LO_PAGE);
    }
    if (here < thread->stack_low || here > thread->stack_high) /* a stack of the program's own */
        thread->stack_low = thread->stack_high = here;
}

LO_COLD struct lo_thread *lo_thread_begin(void)
{
    static LO_THREAD_LOCAL bool beginning;
    if (lo_never || beginning || lo_trace == NULL || !atomic_load(&ready))
        return NULL;
    int saved_errno = errno;
    beginning = true;
    struct lo_thread *thread = NULL;
    uint32_t index = atomic_fetch_add(&thread_count, 1) + 1;
    struct lo_thread_area *area = NULL;
    if (index < MAX_THREADS)
        area = (struct lo_thread_area *)lo_trace_block(LO_BLOCK_THREAD, THREAD_PAGES, index);
    if (area != NULL)
        thread = take_free();
    if (thread != NULL) {
        thread->area = area;
        thread->index = index;
        thread->lowest_stack_lock = thread->busy_frame = UINTPTR_MAX;
        lo_thinning_begin(thread);
        find_stack(thread);
        note_stack(thread->stack_low, thread->stack_high);
        area->index = index;
        area->tid = thread->tid = (uint32_t)syscall(SYS_gettid);
        area->pthread = (uint64_t)pthread_self();
        area->start_ns = lo_now();
        prctl(PR_GET_NAME, area->name, 0, 0, 0);
        atomic_store(&area->block.used, THREAD_PAGES * LO_PAGE);
        atomic_store(&areas[index], area);
        atomic_store(&threads[index], thread);
        lo_count(LO_THREADS_SEEN, 1);
        lo_self = thread;
        thread->busy = 1;
        pthread_setspecific(key, thread);
        thread->busy = 0;
    } else {
        lo_never = true;
        lo_count(LO_THREADS_DROPPED, 1);
    }
    beginning = false;
    errno = saved_errno;
    return thread;
}

/* Whether a function with the frame *then* has ended, for one that runs in *now*: a jump out of a
 * signal's handler (siglongjmp(3)) passes by everything in between. Other stacks tell nothing. */
bool lo_frame_is_gone(const struct lo_thread *thread, uintptr_t then, uintptr_t now)
{
    return then >= thread->stack_low && then <= now && now < thread->stack_high;
}

LO_COLD struct lo_thread *lo_enter_busy(struct lo_thread *thread, uintptr_t frame)
{
    if (thread == NULL) {
        thread = lo_thread_begin();
    } else if (lo_frame_is_gone(thread, thread->busy_frame, frame)) {
        thread->busy = 0;
        thread->busy_frame = UINTPTR_MAX;
        thread->area->waits_for = 0;
    }
    if (thread == NULL || thread->busy != 0)
        return NULL;
    if (thread->passing != 0)
        lo_settle(thread);
    return thread;
}

struct lo_thread *lo_thread_with_stack(uintptr_t address)
{
    uintptr_t grain = address / STACK_GRAIN;
    if (LO_LIKELY(!(atomic_load(stack_word(grain)) >> grain % 64 & 1)))
        return NULL;
    uint32_t count = atomic_load(&thread_count);
    for (uint32_t i = 1; i <= count && i < MAX_THREADS; i++) {
        struct lo_thread *thread = atomic_load(&threads[i]);
        if (thread != NULL && address >= thread->stack_low && address < thread->stack_high)
            return thread;
    }
    return NULL;
}

static void report_held_at_exit(struct lo_thread *thread)
{
    for (uint32_t i = thread->depth; i > 0; i--) {
        const struct lo_held_lock *held = &thread->area->held[i - 1];
        const struct lo_lock *lock = &lo_locks[held->lock];
        /* A robust mutex is recovered by whoever is next (pthread_mutexattr_setrobust(3)). */
        bool handed_over = (atomic_load(&lock->state) & LO_LOCK_HANDED_OVER) != 0;
        if (lo_is_plain(lock) && lo_still_holds(thread, held) && !handed_over &&
            !(lock->flags & LO_ROBUST))
            lo_misuse(thread, LO_EXIT_HELD, held->lock, held->pc, thread->index);
    }
}

/* Called among a thread's last steps. Other libraries' destructors may lock after this one, so it
 * asks to be called again, as long as POSIX lets it. */
static void thread_ends(void *value)
{
    static LO_THREAD_LOCAL int rounds;
    struct lo_thread *thread = value;
    if (++rounds < 4) {
        pthread_setspecific(key, thread);
        return;
    }
    int saved_errno = errno;
    prctl(PR_GET_NAME, thread->area->name, 0, 0, 0); /* names are mostly set after the start */
    if (thread->passing != 0)
        lo_settle(thread);
    report_held_at_exit(thread);
    thread->busy = 1;
    lo_locks_flush(thread);
    lo_locks_end_range(thread->stack_low, thread->stack_high - thread->stack_low,
                       LO_DEATHS_BY_STACK);
    thread->area->end_ns = lo_now();
    atomic_store(&threads[thread->index], NULL);
    lo_never = true;
    lo_self = NULL;
    give_back(thread);
    errno = saved_errno;
}

/* What other threads hold at this moment, as far as it can be told while they run. */
uint32_t lo_threads_copy_held(struct lo_held_lock *out, uint32_t room, uint32_t except)
{
    uint32_t count = atomic_load(&ready) ? atomic_load(&thread_count) : 0;
    uint32_t found = 0;
    for (uint32_t i = 1; i <= count && i < MAX_THREADS; i++) {
        struct lo_thread_area *area = atomic_load(&areas[i]);
        if (area == NULL || i == except || area->end_ns != 0)
            continue;
        uint32_t depth = area->depth, all = depth + area->passing;
        for (uint32_t j = 0; j < all && j < LO_MAX_HELD && found < room; j++) {
            out[found] = area->held[j];
            if (j >= depth)
                out[found].lock = lo_passing_number(&area->held[j]);
            found++;
        }
    }
    return found;
}

/* Whether any thread holds it, as far as it can be told while they run. */
bool lo_threads_hold(lo_id lock)
{
    uint32_t count = atomic_load(&ready) ? atomic_load(&thread_count) : 0;
    for (uint32_t i = 1; i <= count && i < MAX_THREADS; i++) {
        struct lo_thread_area *area = atomic_load(&areas[i]);
        if (area == NULL || area->end_ns != 0)
            continue;
        uint32_t depth = area->depth, all = depth + area->passing;
        for (uint32_t j = 0; j < all && j < LO_MAX_HELD; j++)
            if (j < depth ? area->held[j].lock == lock
                          : lo_lies_at(lock, lo_passing_address(&area->held[j])))
                return true;
    }
    return false;
}

/* In a forked child no thread is known, this one included. */
void lo_threads_forget(void)
{
    if (!atomic_load(&ready))
        return;
    uint32_t count = atomic_exchange(&thread_count, 0) + 1;
    if (count > MAX_THREADS)
        count = MAX_THREADS;
    memset((void *)areas, 0, count * sizeof *areas);
    memset((void *)threads, 0, count * sizeof *threads);
    atomic_store(&free_threads, NULL);
    atomic_store(&free_guard, 0);
    pthread_setspecific(key, NULL);
    lo_self = NULL;
    lo_never = false;
}
