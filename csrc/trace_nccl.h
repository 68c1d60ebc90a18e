/* The part of the trace that tells of NCCL: who called what on which communicator. The end of
 * trace.h, which see. */
#ifndef LOCKORDER_TRACE_NCCL_H
#define LOCKORDER_TRACE_NCCL_H

#include "trace.h"

struct lo_communicator_record { /* written when its making begins */
    struct lo_record record;
    _Atomic uint64_t address;    /* ncclComm_t, 0: not known yet */
    uint64_t unique;             /* the same in all its ranks, 0: not known; docs/trace-format.md */
    _Atomic uint32_t generation; /* of this address, from 1 */
    uint32_t parent;             /* that it was split from, 0: none */
    int32_t ranks;               /* -1: the call does not say */
    int32_t rank;
    int32_t color; /* of a split, as key */
    int32_t key;
    uint16_t made_by;          /* hook, 0: not seen */
    _Atomic uint16_t ended_by; /* hook; that of its making, where that failed */
    uint32_t stack;            /* of the call that made it */
    uint32_t thread;           /* index of the thread that made it */
    uint32_t reserved;
    uint64_t begin_ns;
    _Atomic uint64_t end_ns;      /* 0: it has not ended */
    _Atomic uint64_t collectives; /* calls that all its ranks have to make, so far */
    _Atomic uint64_t peers;       /* sends and receives */
};

struct lo_nccl_total_record { /* record.id is the communicator, 0: the call has none */
    struct lo_record record;
    uint16_t call; /* hook */
    uint16_t reserved;
    int32_t peer;   /* of a send or receive, else -1 */
    uint64_t pc;    /* return address */
    uint32_t stack; /* of the first call from there */
    uint32_t reserved2;
    _Atomic uint64_t begun; /* calls; those beyond `ended` have not returned */
    _Atomic uint64_t ended;
    _Atomic uint64_t failed;   /* with neither ncclSuccess nor ncclInProgress */
    _Atomic uint64_t elements; /* of all calls together */
    _Atomic uint64_t total_ns; /* inside of them */
    _Atomic uint64_t longest_ns;
    _Atomic uint64_t last_order; /* number of the last call among those of its communicator */
    uint64_t first_ns;           /* begin of the first one */
    _Atomic uint64_t last_ns;    /* begin of the last one */
};

enum lo_group_misuse {
    LO_GROUP_NOT_BEGUN = 1, /* an end with no group open, which NCCL refused */
    LO_GROUP_SYNC,          /* waits for the device inside a group */
    LO_GROUP_MIXED,         /* makes a communicator in one group with operations */
    LO_GROUP_EXIT,          /* the thread ends the process inside a group */
};

struct lo_group_misuse_record { /* record.id is the thread */
    struct lo_record record;
    uint16_t kind; /* enum lo_group_misuse */
    uint16_t call; /* hook, 0: none */
    uint32_t depth;
    uint32_t stack;
    uint32_t begin_stack; /* of the group, 0: not kept, see begin_pc */
    uint64_t begin_pc;
    uint64_t begin_ns;
    uint64_t time_ns;
};

/* An entry has one writer at a time. `word` is its number, from 1, times 4, plus one of these.
 * Who takes a place writes `word`, then `again`, then all else, then `word`: a reader that finds
 * LO_ENTRY_FILLED, or an `again` that is not the number, has met a writer, or the end of one. */
enum { LO_ENTRY_DONE = 0, LO_ENTRY_FILLED = 1, LO_ENTRY_ENDED = 2 /* begin is valid */ };

struct lo_nccl_entry {
    _Atomic uint64_t word;
    uint64_t begin_ns;
    uint64_t end_ns; /* 0: it has not returned */
    uint64_t order;  /* among its communicator's collectives, or its sends and receives; from 1 */
    uint64_t count;  /* elements, as given */
    uint64_t stream;
    uint64_t pc;           /* return address */
    uint32_t communicator; /* 0: none */
    uint32_t thread;       /* index */
    uint32_t stack;        /* of the first call from there, 0: not kept */
    uint32_t group;        /* number of the outermost group, from 1; 0: outside */
    int32_t reduction;     /* ncclRedOp_t, -1: none */
    int32_t root;          /* or peer, -1: none */
    uint16_t call;         /* hook */
    uint16_t depth;        /* of groups, before the call */
    int16_t type;          /* ncclDataType_t, -1: none */
    int16_t status;        /* ncclResult_t, once it has returned */
    uint64_t again;
};

enum { LO_RING_ENTRIES = 1024, LO_RING_PAGES = 25 };

struct lo_nccl_ring { /* a block of kind LO_BLOCK_RING, one a process; any thread writes */
    struct lo_block block;
    uint32_t entry_size;
    uint32_t entries;
    _Atomic uint64_t last; /* number given out last: entry (number - 1) % entries */
    _Atomic uint64_t lost; /* calls whose place was being written, or had a later one */
    uint64_t reserved;
    struct lo_nccl_entry entry[LO_RING_ENTRIES];
};

/* ---- sequences: what was called, in order; docs/trace-format.md -------------------------- */

struct lo_nccl_operation_record { /* record.id is its symbol in sequences of communicators */
    struct lo_record record;
    uint64_t count; /* elements */
    uint64_t pc;
    uint32_t communicator;
    uint32_t thread; /* index */
    uint32_t stack;  /* of the first such call, 0: not kept */
    int32_t root;    /* or peer, -1: none */
    int32_t reduction;
    uint32_t stream; /* ordinal, 0: none */
    int16_t type;
    uint16_t call; /* hook */
    uint32_t reserved;
};

enum lo_launch_flag {
    LO_LAUNCH_HOST = 1, /* a call that is the host's alone */
    LO_LAUNCH_PEER = 2, /* a send or receive: counted among those of its communicator */
};

struct lo_nccl_launch_record { /* record.id is its symbol in the process's sequence of launches */
    struct lo_record record;
    uint64_t handle; /* of the stream */
    uint32_t communicator;
    uint32_t thread;
    uint32_t stream;  /* ordinal, from 1 as they are first seen; 0: none */
    uint16_t grouped; /* 0: outside of a group, 1: the first of its outermost one, 2: a later one */
    uint16_t flags;
};

enum lo_sequence_kind { LO_COLLECTIVES = 1, LO_PEERS, LO_LAUNCHES };

enum {
    LO_WINDOW = 8192,         /* a copy begins less than this many symbols back */
    LO_TOKEN_COPY = 1u << 31, /* of `what` */
    LO_FIRST_TOKENS = 32,     /* of a sequence's first chunk */
    LO_MOST_TOKENS = 1016,    /* of any: it fills a block of two pages */
};

struct lo_token {
    uint32_t what; /* a symbol, `length` times; or how far back those were that come again */
    _Atomic uint32_t length;
};

struct lo_sequence_record { /* record.id is the communicator, 0 for launches */
    struct lo_record record;
    uint64_t first; /* order number of its first operation, from 1 */
    uint16_t kind;  /* enum lo_sequence_kind */
    uint16_t capacity;
    _Atomic uint32_t used;
    struct lo_token token[];
};

_Static_assert(sizeof(struct lo_token) == 8, "packed as documented");
_Static_assert(sizeof(struct lo_block) + sizeof(struct lo_sequence_record) +
                       LO_MOST_TOKENS * sizeof(struct lo_token) <=
                   2 * LO_PAGE,
               "the largest chunk fits a block of records");
_Static_assert(sizeof(struct lo_nccl_entry) == 96, "packed as documented");
_Static_assert(sizeof(struct lo_nccl_ring) <= LO_RING_PAGES * LO_PAGE, "the ring fits");

#endif
