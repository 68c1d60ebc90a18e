/* Finds the functions that the hooks stand in front of.
 *
 * Three things make this more than a dlsym(3):
 *  - a hook can be called before our constructor (libraries listed after a
 *    preloaded one are initialised before it), so resolving is also done late;
 *  - dlsym may allocate, and an allocator such as jemalloc takes a mutex: that
 *    call comes back to our hook on the same thread and must not recurse;
 *  - RTLD_NEXT without a version may give the base version of a symbol, which
 *    for pthread_cond_* on x86-64 is the pre-2.3.2 condition variable.
 *
 * There is no lock: two threads that resolve at once store the same pointers.
 */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

_Atomic(void *) lo_real_functions[LO_HOOK_COUNT];

static LO_THREAD_LOCAL bool resolving;

/* dlsym itself is one of the hooks, and asking ours for the real one would go in circles;
 * dlvsym is not, and every dlsym has a version: the first of its port, or 2.34's, which moved it
 * from libdl to libc. */
static void *find_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        void *found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        if (found != NULL)
            return found;
    }
    return NULL;
}

void lo_resolve_all(void)
{
    if (resolving)
        return;
    resolving = true;
    int saved_errno = errno;
    void *(*ask)(void *, const char *) = (void *(*)(void *, const char *))find_dlsym();
    for (size_t i = LO_HOOK_NONE + 1; i < LO_HOOK_COUNT && ask != NULL; i++) {
        if (lo_hooks[i].wrapper != NULL)
            continue; /* an import, found where it is called */
        void *function = NULL;
        if (i == LO_HOOK_dlsym)
            function = (void *)ask;
        else if (lo_hooks[i].version != NULL)
            function = dlvsym(RTLD_NEXT, lo_hooks[i].name, lo_hooks[i].version);
        if (function == NULL)
            function = ask(RTLD_NEXT, lo_hooks[i].name);
        atomic_store_explicit(&lo_real_functions[i], function, memory_order_relaxed);
    }
    /* A name that this glibc lacks leaves an error that the program never caused. */
    (void)dlerror();
    errno = saved_errno;
    resolving = false;
}

LO_COLD void *lo_resolve_late(enum lo_hook hook)
{
    if (lo_hooks[hook].wrapper != NULL)
        return NULL;
    lo_resolve_all();
    return atomic_load_explicit(&lo_real_functions[hook], memory_order_relaxed);
}

/* Inside the resolver (an allocator's lock, taken and released within one
 * dlsym) the call succeeds without a lock: start-up has one thread, and the
 * pair is balanced. Anywhere else the function does not exist in this glibc. */
int lo_unresolved_status(void)
{
    return resolving ? 0 : ENOSYS;
}
