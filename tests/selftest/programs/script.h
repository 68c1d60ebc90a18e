/* A history of lock operations that is written down, and threads that live through it.
 *
 *     1+A+B-B-A 2+B+A-A-B
 *
 * A digit says which thread goes on (0 is the initial one); each step is a sign and a lock:
 *
 *     +A  take it               rA  take it for reading      -A  give it up
 *     ?A  try, and get it       uA  try to read, and get it  !A  try in vain
 *     tA  with a time limit     cA  the same, another clock  TA, CA  past the limit, in vain
 *     eA  take it and be told EDEADLK                        EA  the same, for reading
 *     oA  take it and be told that its owner died            pA  give it up with no right to
 *     iA  initialise it         dA  destroy it               .   the thread ends (and is joined)
 *
 * Steps happen in the order in which they are written, whatever thread they belong to. All threads
 * exist from the start and, unless a dot says otherwise, until the end.
 */
#ifndef SELFTEST_SCRIPT_H
#define SELFTEST_SCRIPT_H

#include "turns.h"

#include <ctype.h>
#include <errno.h>

enum { SCRIPT_STEPS = 128, SCRIPT_THREADS = 10 };

struct script_step {
    int thread;
    char what;
    char lock;
};

/* Does one step and returns 0 or an errno; each program brings its own. */
static int operate(char what, char lock);

static struct script_step script_steps[SCRIPT_STEPS];
static int script_count;
static int script_turn, script_done;

static void script_read(const char *text)
{
    int thread = 0;
    for (; *text; text++) {
        if (*text == ' ')
            continue;
        if (isdigit((unsigned char)*text)) {
            thread = *text - '0';
            continue;
        }
        MUST(script_count < SCRIPT_STEPS);
        struct script_step *step = &script_steps[script_count++];
        step->thread = thread;
        step->what = *text;
        step->lock = '.';
        if (*text != '.') {
            step->lock = *++text;
            MUST(step->lock >= 'A' && step->lock <= 'F');
        }
    }
}

static int as_expected(char what, int result)
{
    switch (what) {
    case 'p': /* what an unlock without the lock returns differs from kind to kind */
    case 'd': /* and so does the destruction of what is held */
        return 1;
    case '!':
        return result == EBUSY || result == EAGAIN;
    case 'T':
    case 'C':
        return result == ETIMEDOUT;
    case 'e':
    case 'E':
        return result == EDEADLK;
    case 'o':
        return result == EOWNERDEAD;
    default:
        return result == 0;
    }
}

static void script_do(int i)
{
    const struct script_step *step = &script_steps[i];
    int result = operate(step->what, step->lock);
    printf("%d%c%c %d\n", step->thread, step->what, step->lock, result);
    if (!as_expected(step->what, result)) {
        fprintf(stderr, "step %d, %c%c, returned %d\n", i, step->what, step->lock, result);
        exit(3);
    }
}

static void *script_thread(void *of)
{
    int thread = (int)(long)of;
    for (int i = 0; i < script_count; i++) {
        if (script_steps[i].thread != thread)
            continue;
        wait_for(&script_turn, i + 1);
        if (script_steps[i].what == '.')
            return NULL;
        script_do(i);
        reach(&script_done, i + 1);
    }
    return NULL;
}

static void script_run(const char *text)
{
    pthread_t threads[SCRIPT_THREADS];
    int alive[SCRIPT_THREADS] = {0};
    script_read(text);
    for (int i = 0; i < script_count; i++) {
        int n = script_steps[i].thread;
        if (n == 0 || alive[n])
            continue;
        MUST(pthread_create(&threads[n], NULL, script_thread, (void *)(long)n) == 0);
        alive[n] = 1;
    }
    for (int i = 0; i < script_count; i++) {
        int n = script_steps[i].thread;
        if (n == 0) {
            script_do(i);
            continue;
        }
        MUST(alive[n]);
        reach(&script_turn, i + 1);
        if (script_steps[i].what == '.') {
            MUST(pthread_join(threads[n], NULL) == 0);
            alive[n] = 0;
            continue;
        }
        wait_for(&script_done, i + 1);
    }
    for (int n = 1; n < SCRIPT_THREADS; n++) {
        if (alive[n])
            MUST(pthread_join(threads[n], NULL) == 0);
    }
}

#endif
