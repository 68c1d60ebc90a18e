/* Programs that are started: which of them go on unrecorded is told by what is missing.
 *
 * A program that is linked statically, runs as another user or gets no LD_PRELOAD leaves no trace.
 * Whoever starts it says so, in its own trace's header: that is shared, so that a child of vfork(2)
 * can, which has its parent's memory, and one of clone(2), which has a copy. What the system
 * library starts by itself (system(3), popen(3)) begins with a shell.
 */
#include "shim.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* The place that says it, NULL: there is none left, or no trace. */
static struct lo_started *note(const char *path, uint32_t pid)
{
    if (lo_trace == NULL)
        return NULL;
    uint32_t at = atomic_fetch_add(&lo_trace->started_count, 1);
    if (at >= LO_MAX_STARTED || path == NULL)
        return NULL;
    struct lo_started *place = &lo_trace->started[at];
    size_t size = strlen(path), room = sizeof place->path - 1;
    /* The end of a path says more than its begin. */
    const char *from = size > room ? path + size - room : path;
    memcpy(place->path, from, size > room ? room : size);
    atomic_store(&place->pid, pid);
    return place;
}

/* It could not be started. */
static void take_back(struct lo_started *place)
{
    if (lo_trace == NULL)
        return;
    if (place != NULL)
        atomic_store(&place->pid, 0);
    atomic_fetch_add(&lo_trace->start_failed, 1);
}

/* A child of fork(2) that could not begin a trace; in the parent's, which it still has. */
void lo_started_unrecorded(struct lo_header *parents)
{
    atomic_fetch_add(&parents->forks_unrecorded, 1);
}

#define EXEC(name, params, args)                                                                   \
    LO_EXPORT int name params                                                                      \
    {                                                                                              \
        __typeof__(&name) real = LO_REAL(name);                                                    \
        if (real == NULL)                                                                          \
            return (errno = lo_unresolved_status()) == 0 ? 0 : -1;                                 \
        int saved_errno = errno;                                                                   \
        struct lo_started *place = note(path, (uint32_t)getpid());                                 \
        errno = saved_errno;                                                                       \
        int status = real args;                                                                    \
        saved_errno = errno;                                                                       \
        take_back(place);                                                                          \
        errno = saved_errno;                                                                       \
        return status;                                                                             \
    }

EXEC(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))
EXEC(execv, (const char *path, char *const argv[]), (path, argv))
EXEC(execvp, (const char *path, char *const argv[]), (path, argv))
EXEC(execvpe, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))
EXEC(execveat, (int directory, const char *path, char *const argv[], char *const envp[], int flags),
     (directory, path, argv, envp, flags))

/* The arguments of the three that have them one by one, as an array; *last* begins after them. */
#define ARRAY(argv, first, last)                                                                   \
    size_t count = 1;                                                                              \
    va_list last;                                                                                  \
    va_start(last, first);                                                                         \
    while (va_arg(last, char *) != NULL)                                                           \
        count++;                                                                                   \
    va_end(last);                                                                                  \
    char *argv[count + 1];                                                                         \
    argv[0] = (char *)first;                                                                       \
    va_start(last, first);                                                                         \
    for (size_t i = 1; i <= count; i++)                                                            \
    argv[i] = va_arg(last, char *)

LO_EXPORT int execl(const char *path, const char *first, ...)
{
    ARRAY(argv, first, last);
    va_end(last);
    return execv(path, argv);
}

LO_EXPORT int execlp(const char *path, const char *first, ...)
{
    ARRAY(argv, first, last);
    va_end(last);
    return execvp(path, argv);
}

LO_EXPORT int execle(const char *path, const char *first, ...)
{
    ARRAY(argv, first, last);
    char *const *envp = va_arg(last, char *const *);
    va_end(last);
    return execve(path, argv, envp);
}

#define SPAWN(name)                                                                                \
    LO_EXPORT int name(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,    \
                       const posix_spawnattr_t *attributes, char *const argv[],                    \
                       char *const envp[])                                                         \
    {                                                                                              \
        __typeof__(&name) real = LO_REAL(name);                                                    \
        if (real == NULL)                                                                          \
            return lo_unresolved_status();                                                         \
        pid_t made = 0;                                                                            \
        int status = real(&made, path, actions, attributes, argv, envp);                           \
        if (status == 0)                                                                           \
            note(path, (uint32_t)made);                                                            \
        if (status == 0 && pid != NULL)                                                            \
            *pid = made;                                                                           \
        return status;                                                                             \
    }

SPAWN(posix_spawn)
SPAWN(posix_spawnp)
