/* What the files that know NCCL share: one call on its way, communicators, groups. */
#ifndef LOCKORDER_NCCL_H
#define LOCKORDER_NCCL_H

#include "locks.h"

/* nccl.h: NCCL_UNIQUE_ID_BYTES; by value, so its size matters. */
struct lo_nccl_id {
    char bytes[128];
};

/* nccl.h: ncclResult_t. The call is under way where a communicator does not block. */
enum { LO_NCCL_SUCCESS = 0, LO_NCCL_IN_PROGRESS = 7, LO_NCCL_NOT_RETURNED = -1 };

struct lo_nccl_call {
    /* What the wrapper knows. */
    enum lo_hook hook;
    uintptr_t pc, frame;
    uintptr_t comm, stream;
    uint64_t count;
    int type, reduction, root;
    void **made; /* where handles of new communicators are written, this many */
    uint32_t to_make;
    int ranks, rank, color, key;
    uint64_t unique;
    int status;

    /* What is kept from its begin to its end. */
    bool programs_own; /* not made by NCCL itself */
    struct lo_thread *thread;
    struct lo_call wait;
    lo_id communicator, first_made;
    uintptr_t made_before;
    struct lo_nccl_total_record *total;
    struct lo_nccl_entry *entry;
    uint64_t number, start;
    struct lo_footprint_record *footprint; /* NULL: nothing is measured */
    uint32_t footprint_number, footprint_forks;
};

static inline bool lo_nccl_succeeded(int status)
{
    return status == LO_NCCL_SUCCESS || status == LO_NCCL_IN_PROGRESS;
}

/* ---- nccl_calls.c: begin and end of a call ------------------------------------------------ */

void lo_nccl_begin(struct lo_nccl_call *call);
void lo_nccl_end(struct lo_nccl_call *call);

/* ---- communicators.c: which communicator a handle is -------------------------------------- */

uint64_t lo_fnv(uint64_t hash, const void *bytes, size_t size); /* FNV-1a; begins with 0 */

enum { LO_MAX_COMMUNICATORS = 1 << 14 };

void lo_communicators_setup(void);
void lo_communicators_after_fork(void);
struct lo_communicator_record *lo_communicator(lo_id id); /* NULL: none */
lo_id lo_communicator_at(struct lo_thread *thread, uintptr_t address);
lo_id lo_communicators_make(struct lo_thread *thread, const struct lo_nccl_call *call, lo_id stack);
void lo_communicator_made(lo_id id, uintptr_t address);
void lo_communicator_ends(lo_id id, enum lo_hook why);

/* ---- groups.c: ncclGroupStart, ncclGroupEnd ----------------------------------------------- */

enum { LO_MAX_PENDING = 64 };

struct lo_group { /* of a thread; empty where depth is 0 */
    uint32_t depth;
    uint32_t number;
    uint32_t inside; /* NCCL's own functions */
    bool issued;     /* operations */
    bool mixed;      /* and communicators; told */
    enum lo_hook creates;
    lo_id creates_stack;
    lo_id stack;
    uintptr_t pc;
    uint64_t since;
    struct lo_pending { /* communicators whose handles are there when the group ends */
        void **made;
        lo_id id;
    } pending[LO_MAX_PENDING];
    uint32_t pending_count;
};

extern LO_THREAD_LOCAL struct lo_group lo_group;

void lo_groups_after_fork(void);
void lo_group_calls(const struct lo_nccl_call *call, uint16_t flags);
void lo_group_begins(const struct lo_nccl_call *call);
void lo_group_ends(const struct lo_nccl_call *call);
void lo_group_made(const struct lo_nccl_call *call);

#endif
