/* The functions that a preloaded shim puts before glibc's.
 *
 * A call is counted before the real function runs, since that may never return;
 * what is held changes after it. Our own work makes no system call, so errno
 * stays what the real function left (resolving, which can, saves it).
 *
 * pthread_cond_wait is a cancellation point (pthreads(7)): the thread can be
 * unwound through our frame, which is why the library is built with
 * -fexceptions. A wait gives its mutex up and takes it again before it returns
 * or unwinds, so the number of held locks does not change across it.
 */
#include "shim.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* EOWNERDEAD: the mutex is held; its last owner died (pthread_mutex_lock(3p)). */
static inline void after_TAKE(int status)
{
    if (status == 0 || status == EOWNERDEAD)
        lo_count_depth(lo_held_push());
}

static inline void after_DROP(int status)
{
    if (status == 0)
        lo_held_pop();
}

static inline void after_WAIT(int status)
{
    (void)status;
}

/* Declared first: an old pthread.h lacks the *clock* functions (glibc 2.30). */
#define HOOK(name, effect, version, params, args)                                                  \
    LO_EXPORT int name params;                                                                     \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        typedef int real_function params;                                                          \
        real_function *real = (real_function *)lo_real(LO_HOOK_##name);                            \
        if (__builtin_expect(real == NULL, 0))                                                     \
            return lo_unresolved_status();                                                         \
        lo_count_call(LO_HOOK_##name);                                                             \
        int status = real args;                                                                    \
        after_##effect(status);                                                                    \
        return status;                                                                             \
    }
#include "hooks.def"
#undef HOOK
