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
    lo_id stack; /* of the first one like it, 0: not kept */
    struct lo_nccl_total_record *total;
    struct lo_nccl_entry *entry;
    uint64_t number, start;
    uint64_t from; /* its place: the call, and the functions of Python that it is made in */
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
struct lo_nccl_total_record *lo_nccl_total(const struct lo_nccl_call *call);

/* ---- nccl_signatures.c: operations that are alike ----------------------------------------- */

enum { LO_OUTSIDE, LO_FIRST_OF_GROUP, LO_LATER_IN_GROUP, LO_GROUPED };

/* One thread's calls of one function with the same arguments from one place: one cache line. Only
 * that thread writes it. */
struct lo_signature {
    _Atomic uint16_t state;
    uint16_t symbol;             /* number of the operation, 0: there was no room for it */
    uint16_t launch[LO_GROUPED]; /* its symbols among launches, 0: none yet */
    uint16_t hook;               /* LO_HOOK_NONE: a launch */
    int16_t type;
    uint16_t thread;
    uint64_t count, from, stream;
    struct lo_nccl_total_record *total;
    lo_id communicator;
    int32_t root, reduction;
    lo_id stack; /* of the first one */
};

void lo_signatures_after_fork(void);
struct lo_signature *lo_signature(const struct lo_nccl_call *call); /* NULL: no room */
uint32_t lo_launch_symbol(const struct lo_nccl_call *call, struct lo_signature *signature,
                          uint32_t grouped);

/* ---- nccl_sequences.c: in which order; nccl_tokens.c: in few words ------------------------ */

enum { LO_STAGED = 4096 }; /* a time slice, for those that issue one every microsecond */

struct lo_sequence {
    /* Written by all. */
    _Atomic uint32_t owner;   /* who writes tokens: thread << 2 | LO_SEQUENCE_*; 0: nobody */
    _Atomic uint64_t drained; /* the order number that was written last */
    _Atomic uint64_t skip_to; /* those up to here that are not staged will never be */
    _Atomic uint64_t staged[LO_STAGED];

    /* The owner's. */
    bool ended;
    lo_id communicator;
    enum lo_sequence_kind kind;
    struct lo_sequence_record *chunk;
    uint64_t bytes;             /* of all its chunks */
    struct lo_token *token;     /* the last one */
    uint32_t distance;          /* of the copy that it is, 0: it is none */
    uint64_t total;             /* symbols so far: the last one's position */
    uint64_t indexed;           /* positions that what follows knows */
    uint64_t context;           /* of the last one that it knows */
    uint16_t window[LO_WINDOW]; /* symbols by position */
    struct lo_places {
        uint32_t head[LO_WINDOW];  /* the latest position of something, by its hash */
        uint32_t chain[LO_WINDOW]; /* the one before with that hash, by position */
    } pairs, contexts;
    uint32_t latest[LO_WINDOW / 2]; /* position of a symbol */
};

void lo_sequences_after_fork(void);
void lo_sequence_put(struct lo_thread *thread, lo_id communicator, enum lo_sequence_kind kind,
                     uint64_t order, uint32_t symbol);
void lo_sequence_launch(struct lo_thread *thread, uint32_t symbol);
void lo_tokens_add(struct lo_thread *thread, struct lo_sequence *to, uint32_t symbol);
void lo_tokens_after_fork(void);

/* ---- communicators.c: which communicator a handle is -------------------------------------- */

uint64_t lo_fnv(uint64_t hash, const void *bytes, size_t size); /* FNV-1a; begins with 0 */

enum { LO_MAX_COMMUNICATORS = 1 << 14 };

void lo_communicators_setup(void);
void lo_communicators_after_fork(void);
struct lo_communicator_record *lo_communicator(lo_id id); /* NULL: none */
lo_id lo_communicator_at(struct lo_thread *thread, uintptr_t address);
lo_id lo_communicators_make(struct lo_thread *thread, const struct lo_nccl_call *call, lo_id stack);
void lo_communicator_made(lo_id id, uintptr_t address);
void lo_communicator_used(lo_id id, uintptr_t address);
void lo_communicator_ends(lo_id id, enum lo_hook why);

/* ---- groups.c: ncclGroupStart, ncclGroupEnd ----------------------------------------------- */

enum { LO_MAX_PENDING = 64 };

struct lo_group { /* of a thread; empty where depth is 0 */
    uint32_t depth;
    uint32_t number;
    uint32_t inside; /* NCCL's own functions */
    bool sequenced;  /* operations: the first one is in the sequence of launches */
    bool issued;     /* operations that launch */
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
