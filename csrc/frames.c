/* Locks in stack frames: they end with their frames, though no call says so.
 *
 * Whoever is above a lock says that its frame has returned (check_stack in pthread_hooks.c). The
 * rest is told by the difference between two unwindings of a thread.
 */
#include "locks.h"

#include <string.h>

/* The locks that a thread holds, or takes right now, at places that others had before: each is a
 * lock of its own from here on. A place's lock is known by its address, and nothing was seen of the
 * former one's end before this one was taken. What is younger than the former frames is one of its
 * own already. */
static void give_new_numbers(struct lo_thread *thread, uintptr_t limit)
{
    bool changed = false;
    struct lo_level below = thread->levels[0]; /* as it was */
    for (uint32_t i = 0; i < thread->depth; i++) {
        struct lo_held_lock *held = &thread->area->held[i];
        struct lo_level level = thread->levels[i + 1];
        bool frames_own = level.address >= thread->stack_low && level.address < limit;
        lo_id stack = changed ? lo_stack_on(thread, &below, i) : 0;
        if (frames_own && lo_still_holds(thread, held)) {
            lo_id number = lo_lock_renew(held->lock, thread->frame_births, held->pc);
            if (number != 0 && number != held->lock) {
                held->lock = number;
                changed = true;
                stack = 0; /* where the former one was taken */
            }
        }
        if (changed)
            lo_rechain(thread, i, stack);
        below = level;
    }
    struct lo_held_lock *taking = thread->taking;
    uintptr_t address = taking != NULL ? lo_alive_at(taking->lock) : 0;
    if (address >= thread->stack_low && address < limit) {
        lo_id number = lo_lock_renew(taking->lock, thread->frame_births, taking->pc);
        taking->lock = number != 0 ? number : taking->lock;
    }
}

/* Whether a lock below a frame that is gone lies in one that came since: somebody has it. */
bool lo_is_in_use(const struct lo_thread *thread, lo_id lock, uintptr_t address)
{
    if (lo_find_held(thread, lock) >= 0 || (thread->taking != NULL && thread->taking->lock == lock))
        return true;
    /* What another thread has, that one keeps by its number. */
    if (lo_locks[lock].kind != LO_KIND_MUTEX ||
        ((const pthread_mutex_t *)address)->__data.__owner == 0)
        return false;
    return lo_threads_hold(lock);
}

/* Frames that were there at the last unwinding and are not any more have taken the locks in them
 * along, though nobody was seen above them meanwhile: a caller that is at another call now has
 * returned from the first. Compared from the outermost frame inwards. */
void lo_frames_seen(struct lo_thread *thread, const struct lo_frames *frames)
{
    uintptr_t lowest = atomic_load_explicit(&thread->lowest_stack_lock, memory_order_relaxed);
    if (thread->frames.count > 0 && !frames->truncated && lowest != UINTPTR_MAX) {
        const struct lo_frames *former = &thread->frames;
        uint32_t old = former->count, now = frames->count;
        while (old > 0 && now > 0 && former->sp[old - 1] == frames->sp[now - 1] &&
               former->pc[old - 1] == frames->pc[now - 1])
            old--, now--;
        if (old > 0 && old < former->count) {
            uintptr_t limit = former->sp[old];
            if (now > 0) {
                uintptr_t then = former->sp[old - 1], here = frames->sp[now - 1];
                /* A function that is still there: arguments on the stack move its pointer. */
                if (then == here || former->function[old - 1] == frames->function[now - 1])
                    limit = then < here ? then : here;
            }
            if (lowest < limit) {
                give_new_numbers(thread, limit);
                lo_stack_locks_end_unused(thread, limit);
            }
        }
    }
    thread->frame_births = lo_lock_births();
    thread->frames.count = frames->truncated ? 0 : frames->count;
    memcpy(thread->frames.sp, frames->sp, frames->count * sizeof *frames->sp);
    memcpy(thread->frames.pc, frames->pc, frames->count * sizeof *frames->pc);
    memcpy(thread->frames.function, frames->function, frames->count * sizeof *frames->function);
}
