/* hooks.def as a table, and the wrappers of imported functions, which are all alike. */
#include "footprint.h"

/* Passed by value: what matters is its size (driver_types.h). */
struct lo_ipc_handle {
    char bytes[64];
};

#define IMPORT(name, waits, flags, result, params, args, object)                                   \
    result lo_wrap_##name params;                                                                  \
    result lo_wrap_##name params                                                                   \
    {                                                                                              \
        result(*real) params = (result(*) params)lo_real(LO_HOOK_##name);                          \
        struct lo_call call __attribute__((cleanup(lo_call_end)));                                 \
        lo_call_begin(&call, LO_HOOK_##name, (uintptr_t)(object), LO_CALLER(), 0);                 \
        if (((flags) & LO_CALL_SYNC) != 0)                                                         \
            lo_group_sync(LO_HOOK_##name, LO_CALLER());                                            \
        return real args;                                                                          \
    }
#define ASKS(name, waits, flags, params, args, what, size)                                         \
    int lo_wrap_##name params;                                                                     \
    int lo_wrap_##name params                                                                      \
    {                                                                                              \
        int(*real) params = (int(*) params)lo_real(LO_HOOK_##name);                                \
        struct lo_call call __attribute__((cleanup(lo_call_end))) = {0};                           \
        if ((waits) != LO_WAITS_NOT)                                                               \
            lo_call_begin(&call, LO_HOOK_##name, 0, LO_CALLER(), 0);                               \
        int status = real args;                                                                    \
        lo_footprint_asked(what, size, LO_CALLER(), status);                                       \
        return status;                                                                             \
    }
#include "hooks.def"

/* Written by hand elsewhere, with signatures of their own. */
#define IMPORT_OWN(name, waits, flags)                                                             \
    extern char lo_address_of_##name __asm__("lo_wrap_" #name)                                     \
        __attribute__((visibility("hidden")));
#include "hooks.def"

/* The version in which glibc's present condition variables appeared. On ports
 * younger than glibc 2.3.2 (aarch64 began with 2.17) there is only one, and the
 * lookup falls back to no version. */
#define CONDVAR_VERSION "GLIBC_2.3.2"

const struct lo_hook_facts lo_hooks[LO_HOOK_COUNT] = {
#define LIBC(name, waits, flags, version)                                                          \
    [LO_HOOK_##name] = {#name, version, NULL, (waits), (flags)},
#define IMPORT(name, waits, flags, result, params, args, object)                                   \
    [LO_HOOK_##name] = {#name, NULL, (void *)lo_wrap_##name, (waits), (flags)},
#define IMPORT_OWN(name, waits, flags)                                                             \
    [LO_HOOK_##name] = {#name, NULL, &lo_address_of_##name, (waits), (flags)},
#include "hooks.def"
};
