/* How the threads of these programs take turns: on futex words of their own, so that a tool that
 * watches locks sees nothing of it, and no thread ever waits for a lock that another one keeps.
 * In the subset that C and C++ share.
 */
#ifndef SELFTEST_TURNS_H
#define SELFTEST_TURNS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define UNUSED __attribute__((unused))

/* Ends the program where something that must work does not. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

/* Sets a counter that others wait for. */
static UNUSED void reach(int *word, int value)
{
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Waits until a counter has reached a value. */
static UNUSED void wait_for(int *word, int value)
{
    int seen;
    while ((seen = __atomic_load_n(word, __ATOMIC_SEQ_CST)) < value)
        syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
}

typedef void (*act)(void);

struct turn_thread {
    pthread_t thread;
    int number;
    act does;
};

static int turn_now, turn_done;

static UNUSED void *turn_main(void *of)
{
    struct turn_thread *self = (struct turn_thread *)of;
    wait_for(&turn_now, self->number);
    self->does();
    reach(&turn_done, self->number);
    return NULL;
}

/* Runs each act in a thread of its own, one after another. All threads are alive from the first
 * act to the last, so only their order in time, which nothing enforces, keeps them apart. */
static UNUSED void in_turn(int count, const act *acts)
{
    struct turn_thread threads[8];
    MUST(count <= 8);
    turn_now = turn_done = 0;
    for (int i = 0; i < count; i++) {
        threads[i].number = i + 1;
        threads[i].does = acts[i];
        MUST(pthread_create(&threads[i].thread, NULL, turn_main, &threads[i]) == 0);
    }
    for (int i = 0; i < count; i++) {
        reach(&turn_now, i + 1);
        wait_for(&turn_done, i + 1);
    }
    for (int i = 0; i < count; i++)
        MUST(pthread_join(threads[i].thread, NULL) == 0);
}

static UNUSED void two_in_turn(act first, act second)
{
    act acts[2];
    acts[0] = first;
    acts[1] = second;
    in_turn(2, acts);
}

static UNUSED void *act_main(void *of)
{
    (*(act *)of)();
    return NULL;
}

/* Runs an act in a thread that ends before this returns. */
static UNUSED void in_thread(act does)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, act_main, &does) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

/* ---- programs that are a list of named cases ---------------------------------------------- */

struct named_case {
    const char *name;
    act runs;
};

static UNUSED int run_case(const struct named_case *cases, size_t count, int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < count; i++) {
        if (strcmp(cases[i].name, argv[1]) == 0) {
            cases[i].runs();
            printf("%s: done\n", argv[1]);
            return 0;
        }
    }
    for (size_t i = 0; i < count; i++)
        puts(cases[i].name);
    return argc > 1 ? 2 : 0;
}

#define RUN_CASE(cases, argc, argv) run_case(cases, sizeof(cases) / sizeof(cases)[0], argc, argv)

#endif
