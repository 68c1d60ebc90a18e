/* Memory that is given back takes its locks with it: std::mutex is never destroyed by a call.
 *
 * These run on every free(3) of the program, so they ask one filter and go; and before the shim
 * has found the real functions they may be called by the very lookup that finds them.
 */
#include "locks.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

static inline struct lo_thread *recording(void)
{
    struct lo_thread *thread = lo_self;
    return thread != NULL && thread->busy == 0 && lo_filter != NULL ? thread : NULL;
}

/* No lock but a spin lock is as small as this: glibc's smallest is a sem_t of 32 bytes. */
enum { TOO_SMALL = 24 };

/* Where free(3) is glibc's, a block's size stands in front of it, with three flags, the second of
 * which says that it is a mapping of its own (malloc/malloc.c, "Chunk format"). To ask for it by a
 * call takes as long as all else here. */
static _Atomic bool size_in_front;

static inline size_t read_size(const void *pointer)
{
    size_t size = *(const size_t *)((uintptr_t)pointer - sizeof size);
    return (size & ~(size_t)7) - ((size & 2) != 0 ? 2 : 1) * sizeof size;
}

static inline size_t size_of(void *pointer)
{
    return LO_LIKELY(atomic_load_explicit(&size_in_front, memory_order_relaxed))
               ? read_size(pointer)
               : malloc_usable_size(pointer);
}

/* Tools that put an allocator of their own in the place of glibc's, by its name or by its address,
 * keep sizes elsewhere: so it is tried. */
void lo_memory_setup(void)
{
#if defined(__x86_64__)
    const void *libc = lo_object_of((const void *)gnu_get_libc_version).headers;
    if (libc == NULL || libc != lo_object_of((const void *)LO_REAL(free)).headers ||
        libc != lo_object_of((const void *)malloc_usable_size).headers)
        return;
    for (size_t size = 1; size <= (size_t)1 << 20; size *= 32) {
        void *block = malloc(size);
        bool known = block != NULL && read_size(block) == malloc_usable_size(block) &&
                     malloc_usable_size(block) - size < 2 * LO_PAGE;
        LO_REAL(free)(block);
        if (!known)
            return;
    }
    atomic_store(&size_in_front, true);
#endif
}

static inline bool may_have_locks(struct lo_thread *thread, uintptr_t start, size_t size)
{
    if (size <= TOO_SMALL &&
        LO_LIKELY(!atomic_load_explicit(&lo_small_locks, memory_order_relaxed)))
        return false;
    if (LO_UNLIKELY(thread->passing != 0) && lo_passing_within(thread, start, size))
        lo_settle(thread);
    return lo_block_may_have_locks(start, size);
}

/* A mutex whose memory goes while it is locked was destroyed while held. */
static LO_COLD void reap(uintptr_t start, size_t size, enum lo_counter why)
{
    int saved_errno = errno;
    struct lo_thread *thread = lo_self;
    lo_busy(thread);
    if (why == LO_DEATHS_BY_FREE)
        for (uint32_t i = thread->depth; i > 0; i--) {
            lo_id lock = thread->area->held[i - 1].lock;
            uintptr_t address = lo_alive_at(lock);
            if (address != 0 && address - start < size) {
                if (thread->passing != 0) /* they stand behind it in the list */
                    lo_settle(thread);
                lo_misuse(thread, LO_DESTROY_HELD, lock, 0, thread->index);
                lo_remove(thread, i - 1);
            }
        }
    lo_locks_end_range(start, size, why);
    lo_idle(thread);
    errno = saved_errno;
}

LO_EXPORT void free(void *pointer)
{
    __typeof__(&free) real = LO_REAL(free);
    if (LO_UNLIKELY(real == NULL))
        return; /* the lookup's own block: never missed */
    struct lo_thread *thread;
    if (pointer != NULL && (thread = recording()) != NULL) {
        size_t size = size_of(pointer);
        if (LO_UNLIKELY(may_have_locks(thread, (uintptr_t)pointer, size)))
            reap((uintptr_t)pointer, size, LO_DEATHS_BY_FREE);
    }
    real(pointer);
}

LO_EXPORT void *realloc(void *pointer, size_t size)
{
    __typeof__(&realloc) real = LO_REAL(realloc);
    if (LO_UNLIKELY(real == NULL))
        return NULL;
    struct lo_thread *thread;
    if (pointer != NULL && (thread = recording()) != NULL) {
        size_t old = size_of(pointer);
        if (size > old && LO_UNLIKELY(may_have_locks(thread, (uintptr_t)pointer, old)))
            reap((uintptr_t)pointer, old, LO_DEATHS_BY_FREE); /* it may move, and locks cannot */
    }
    return real(pointer, size);
}

LO_EXPORT int munmap(void *start, size_t size)
{
    __typeof__(&munmap) real = LO_REAL(munmap);
    if (LO_UNLIKELY(real == NULL))
        return (errno = ENOSYS, -1);
    /* Before: right after it the memory may be another thread's. An address
     * that munmap(2) refuses is left alone. */
    struct lo_thread *thread;
    if ((uintptr_t)start % LO_PAGE == 0 && size != 0 && (thread = recording()) != NULL) {
        if (lo_passing_within(thread, (uintptr_t)start, size))
            lo_settle(thread);
        reap((uintptr_t)start, size, LO_DEATHS_BY_UNMAP);
    }
    return real(start, size);
}
