/* The wrappers of NCCL's functions, made from nccl_hooks.def. */
#include "nccl.h"

/* The words of nccl_hooks.def's last column. */
#define NOTHING (void)0
#define ON(handle) call.comm = (uintptr_t)(handle)
#define MOVES(elements, of_type, in_stream)                                                        \
    call.count = (elements), call.type = (of_type), call.stream = (uintptr_t)(in_stream)
#define REDUCES(operator) call.reduction = (operator)
#define ROOT(number) call.root = (number)
#define BEGINS(handles, number)                                                                    \
    call.made = (handles), call.to_make = (handles) == NULL ? 0 : (uint32_t)(number)
#define RANK_OF(all, mine) call.ranks = (all), call.rank = (mine)
#define SPLIT(by_color, by_key) call.color = (by_color), call.key = (by_key)
#define UNIQUE(ids, number)                                                                        \
    call.unique = (number) > 0 ? lo_fnv(0, (ids), (size_t)(number) * sizeof *(ids)) : 0

/* A call can be cancelled while it waits: hence the cleanup (see cond_hooks.c). */
#define NCCL(name, waits, flags, params, args, facts)                                              \
    int lo_wrap_##name params;                                                                     \
    int lo_wrap_##name params                                                                      \
    {                                                                                              \
        int(*real) params = (int(*) params)lo_real(LO_HOOK_##name);                                \
        struct lo_nccl_call call __attribute__((cleanup(lo_nccl_end)));                            \
        call.hook = LO_HOOK_##name;                                                                \
        call.pc = LO_CALLER();                                                                     \
        call.frame = (uintptr_t)__builtin_frame_address(0);                                        \
        call.comm = call.stream = 0;                                                               \
        call.count = call.unique = 0;                                                              \
        call.type = call.reduction = call.root = -1;                                               \
        call.made = NULL;                                                                          \
        call.to_make = 0;                                                                          \
        call.ranks = call.rank = call.color = call.key = -1;                                       \
        call.status = LO_NCCL_NOT_RETURNED;                                                        \
        facts;                                                                                     \
        lo_nccl_begin(&call);                                                                      \
        return call.status = real args;                                                            \
    }
#include "hooks.def"
