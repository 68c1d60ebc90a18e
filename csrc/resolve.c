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

/* The version in which glibc's present condition variables appeared. On ports
 * younger than glibc 2.3.2 (aarch64 began with 2.17) there is only one, and the
 * lookup falls back to no version. */
#define CONDVAR_VERSION "GLIBC_2.3.2"

_Atomic(void *) lo_real_functions[LO_HOOK_COUNT];

static const struct {
    const char *name;
    const char *version;
} symbols[LO_HOOK_COUNT] = {
#define HOOK(name, effect, version, params, args) [LO_HOOK_##name] = {#name, version},
#include "hooks.def"
#undef HOOK
};

static LO_THREAD_LOCAL bool resolving;

static void *find_symbol(const char *name, const char *version)
{
    void *found = version != NULL ? dlvsym(RTLD_NEXT, name, version) : NULL;
    return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

void lo_resolve_all(void)
{
    if (resolving)
        return;
    resolving = true;
    int saved_errno = errno;
    for (size_t i = 0; i < LO_HOOK_COUNT; i++) {
        void *function = find_symbol(symbols[i].name, symbols[i].version);
        atomic_store_explicit(&lo_real_functions[i], function, memory_order_relaxed);
    }
    /* A name that this glibc lacks leaves an error that the program never caused. */
    (void)dlerror();
    errno = saved_errno;
    resolving = false;
}

void *lo_resolve_late(enum lo_hook hook)
{
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
