/* A budget for recording: where it costs more, a thread rests from it for a while.
 *
 * An acquisition is left out with all those that happen under it: a chain of locks is recorded
 * whole or not at all, so that no order seems to have fewer locks around it than it had. Each
 * thread plans for itself, after each so many acquisitions: from the CPU time that it used follows
 * how many it has to leave out. Orders repeat, so what one round of a loop leaves out another one
 * shows; how many were left out is counted and told.
 *
 * The time that one acquisition costs is not measured: reading a clock costs as much.
 */
#include "shim.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum {
    FIRST = 20000,    /* acquisitions of a thread that are recorded whatever they cost */
    AWAKE = 512,      /* and after each rest */
    COST_NS = 100,    /* of one, with its release, in programs whose caches are full of others' */
    LONGEST = 1 << 24 /* rest: a program that changes is looked at again */
};

static const uint64_t whole = 1000000;

uint32_t lo_budget;

void lo_thinning_setup(void)
{
    const char *text = secure_getenv("LOCKORDER_BUDGET");
    uint64_t millionths = 0;
    for (; text != NULL && *text >= '0' && *text <= '9' && millionths <= whole; text++)
        millionths = millionths * 10 + (uint64_t)(*text - '0');
    lo_budget = text != NULL && *text == '\0' && millionths <= whole ? (uint32_t)millionths : 0;
}

static uint64_t cpu_time(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The first plan counts from the thread's beginning, its first acquisitions with the rest. */
void lo_thinning_begin(struct lo_thread *thread)
{
    if (lo_budget != 0)
        thread->awake = thread->woke = FIRST;
}

/* How many were left out becomes visible in the trace. */
void lo_thinning_count(struct lo_thread *thread)
{
    lo_count(LO_LEFT_OUT, thread->rested - thread->told_rested);
    thread->told_rested = thread->rested;
}

/* So many acquisitions are recorded: plans how many are left out now; false: none. */
LO_COLD bool lo_rest_begins(struct lo_thread *thread)
{
    int saved_errno = errno;
    uint64_t now = cpu_time();
    uint64_t allowed = (now - thread->cpu_then) * lo_budget / whole;
    /* So many acquisitions pay, at this rate, for the next stretch awake. */
    uint64_t cost = (uint64_t)AWAKE * COST_NS, taken = (uint64_t)thread->woke + thread->rested;
    uint64_t all = allowed == 0 ? LONGEST : cost * taken / allowed;
    uint64_t rest = all > AWAKE ? all - AWAKE : 0;
    thread->rest = rest > LONGEST ? LONGEST : (uint32_t)rest;
    thread->cpu_then = now;
    lo_thinning_count(thread);
    thread->rested = thread->told_rested = 0;
    if (thread->rest == 0)
        lo_rest_ends(thread);
    errno = saved_errno;
    return thread->rest != 0;
}

void lo_rest_ends(struct lo_thread *thread)
{
    thread->rest = 0;
    thread->awake = thread->woke = AWAKE;
}

/* In a forked child, whose thread holds what it held. */
void lo_thinning_goes_on(struct lo_thread *thread, const struct lo_thread *former)
{
    if (former->unseen == 0)
        return;
    thread->unseen = former->unseen;
    thread->rest = 1;
    thread->awake = 0;
}
