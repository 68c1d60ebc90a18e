/* The trace file: its layout, once. docs/trace-format.md explains it; the reader
 * (runtime_probe/trace.py) is written against that page.
 *
 * Everything is in the machine's own byte order; `endian` says which that is.
 * A record counts only once its block's `used` covers it, so a process that is
 * killed loses at most the record it was writing.
 */
#ifndef LOCKORDER_TRACE_H
#define LOCKORDER_TRACE_H

#include <stdatomic.h>
#include <stdint.h>

enum {
    LO_TRACE_VERSION = 4,
    LO_PAGE = 4096,
    LO_COUNTERS = 32,
    LO_BLOCK_MAGIC = 0x4b424f4c, /* "LOBK" */
};

/* Indices into lo_header.counters; docs/trace-format.md names them for the reader. */
enum lo_counter {
    LO_THREADS_DROPPED, /* no room for a thread's area: its locks are not seen */
    LO_LOCKS_DROPPED,   /* the lock table is full */
    LO_EDGES_DROPPED,   /* the edge table is full */
    LO_STACKS_DROPPED,  /* past the number of stacks that are unwound */
    LO_RECORDS_DROPPED, /* the file is at its limit, or the disk is full */
    LO_HELD_OVERFLOW,   /* more locks held at once by a thread than its area has room for */
    LO_LOCKS_SEEN,      /* distinct (address, generation) pairs */
    LO_EDGES_SEEN,
    LO_THREADS_SEEN,
    LO_STACKS_SEEN,
    LO_DEATHS_BY_FREE, /* locks that ended with the memory that they lay in */
    LO_DEATHS_BY_STACK,
    LO_DEATHS_BY_DESTROY, /* destroyed, or initialised again */
    LO_DEATHS_BY_UNMAP,
    LO_OBJECTS_PATCHED, /* loaded objects whose import slots were redirected */
    LO_SLOTS_PATCHED,
    LO_EDGES_FOLDED, /* between locks that come and go, from places that had their share */
    LO_NCCL_DROPPED, /* communicators and sites that there was no room for */
    LO_NCCL_OPERATIONS_DROPPED, /* operations that are 0 in their sequences: no room for more kinds
                                 */
    LO_NCCL_UNSEQUENCED,        /* operations that are missing from a sequence, or 0 in it */
    LO_PLACES_DROPPED,          /* Python frames whose file and line there was no room for */
    LO_LOCKS_PASSED, /* acquisitions of mutexes that come and go, from places with nothing new to
                        tell: given back before anything else was taken or waited for */
    LO_LEFT_OUT,     /* acquisitions that were not recorded, to keep to the budget */
    LO_INNER_PASSED, /* of libraries' own locks by those libraries, see passing.c */
    LO_COUNTERS_USED
};

enum lo_process_flag {
    LO_FORKED = 1, /* from a recorded process */
    LO_PYTHON_LOADED = 2,
    LO_PYTHON_READ = 4,    /* its frames are in the stacks */
    LO_PYTHON_UNKNOWN = 8, /* an interpreter whose frames cannot be read */
};

enum lo_state { LO_RUNNING = 1, LO_EXITED = 2, LO_EXECED = 3 };

enum { LO_MAX_STARTED = 16 };

struct lo_started {       /* a program that this process went on as, or that a child of it did */
    _Atomic uint32_t pid; /* 0: it could not be */
    char path[124];       /* its end, where it is longer */
};

struct lo_header { /* one page */
    char magic[8]; /* "LOTRACE\n" */
    uint32_t version;
    uint32_t header_size;
    uint32_t pointer_size;
    uint32_t endian; /* 0x01020304 as the machine writes it */
    uint64_t limit;  /* bytes that the file may grow to */
    uint32_t pid;    /* in the process's own PID namespace */
    uint32_t parent;
    int32_t rank; /* -1: not known */
    int32_t local_rank;
    int32_t world_size;
    uint32_t flags;         /* enum lo_process_flag */
    uint64_t start_real_ns; /* CLOCK_REALTIME and CLOCK_MONOTONIC at the same moment */
    uint64_t start_monotonic_ns;
    _Atomic uint32_t state; /* enum lo_state */
    uint32_t budget;        /* of CPU time, for recording, in millionths; 0: no limit */
    _Atomic uint64_t end_monotonic_ns;
    _Atomic uint64_t allocated; /* bytes of the file in use: header and blocks */
    _Atomic uint64_t counters[LO_COUNTERS];
    char host[64];
    char rank_variable[32]; /* which environment variable named the rank */
    char exe[256];
    char command[512]; /* arguments, separated by spaces; cut off where too long */
    /* From version 4 on. */
    _Atomic uint32_t started_count;    /* programs that were to be started */
    _Atomic uint32_t start_failed;     /* those that could not be */
    _Atomic uint32_t forks_unrecorded; /* children of fork that could not begin a trace */
    uint32_t reserved2;
    struct lo_started started[LO_MAX_STARTED]; /* the first ones */
};

enum lo_block_kind { LO_BLOCK_RECORDS = 1, LO_BLOCK_THREAD = 2, LO_BLOCK_RING = 3 };

struct lo_block { /* at the start of each block; blocks are whole pages, one after another */
    _Atomic uint32_t magic;
    uint16_t kind;
    uint16_t pages;
    uint32_t thread;       /* index of the thread that writes here */
    _Atomic uint32_t used; /* bytes of this block that count, this header included */
    uint64_t sequence;
    uint64_t reserved;
};

/* ---- a thread's area: kind LO_BLOCK_THREAD, two pages, always current ------------------- */

struct lo_held_lock {
    uint32_t lock;
    uint8_t mode;   /* enum lo_mode */
    uint8_t how;    /* enum lo_how */
    uint16_t count; /* times taken, where it is recursive */
    uint64_t pc;    /* return address of the call that took it */
};

enum { LO_MAX_HELD = (2 * LO_PAGE - 256) / 16 };

/* Behind those: a lock that is held and tells nothing yet, by where it lies. */
enum { LO_PASSES_INNER = 64, LO_PASSES_LEAF = 128 };

struct lo_passing_lock {
    uint32_t address_low;
    uint8_t mode;
    uint8_t how_kind; /* enum lo_how << 4 | enum lo_kind; see LO_PASSES_* */
    uint16_t address_high;
    uint64_t pc;
};

struct lo_thread_area {
    struct lo_block block;
    uint32_t index; /* from 1 */
    uint32_t tid;
    uint64_t pthread;  /* pthread_self() */
    uint64_t start_ns; /* CLOCK_MONOTONIC, as all times below */
    uint64_t end_ns;   /* 0: it has not ended */
    char name[16];
    uint32_t creator; /* index of the thread that created it, 0: not known */
    uint32_t creation_stack;
    uint32_t depth;     /* entries of `held` that count */
    uint32_t waits_for; /* a lock that it is blocked on, 0: none */
    uint8_t wait_mode;
    uint8_t gil;        /* 0 not known, 1 held, 2 not held */
    uint16_t wait_call; /* hook of a blocking call that it is inside, 0: none */
    uint32_t wait_stack;
    uint64_t wait_since_ns;
    uint64_t wait_object; /* address of the condition, lock, stream, communicator; thread joined */
    uint64_t operations;  /* locks taken so far */
    uint32_t group_depth; /* of ncclGroupStart, 0: no group is open */
    uint32_t group_stack; /* where the outermost was begun, 0: not kept, see group_pc */
    uint64_t group_pc;
    uint64_t group_since_ns;
    uint64_t created_ns; /* when its creator began to, 0: not known */
    uint32_t passing;    /* entries behind those of `held` that count, each a lo_passing_lock */
    uint32_t unused;
    uint64_t reserved[11];
    struct lo_held_lock held[LO_MAX_HELD];
};

_Static_assert(sizeof(struct lo_header) <= LO_PAGE, "the header is one page");
_Static_assert(sizeof(struct lo_block) == 32, "packed as documented");
_Static_assert(sizeof(struct lo_thread_area) == 2 * LO_PAGE, "a thread's area is two pages");

/* ---- records: kind LO_BLOCK_RECORDS ----------------------------------------------------- */

enum lo_record_type {
    LO_MODULE = 1,
    LO_STACK,
    LO_LOCK,
    LO_EDGE,
    LO_BLOCKED,
    LO_MISUSE,
    LO_STAT,
    LO_NAME,
    LO_COMMUNICATOR,
    LO_NCCL_TOTAL,
    LO_GROUP_MISUSE,
    LO_STACK_ON,
    LO_NCCL_OPERATION,
    LO_NCCL_LAUNCH,
    LO_NCCL_SEQUENCE,
    LO_FOOTPRINT,
    LO_ENVIRONMENT,
    LO_PLACE,
    LO_PYTHON,
};

enum lo_kind {
    LO_KIND_MUTEX = 1,
    LO_KIND_RWLOCK,
    LO_KIND_SPIN,
    LO_KIND_ONCE,
    LO_KIND_STATIC_INIT,
    LO_KIND_SEMAPHORE,
    LO_KIND_GIL,
    LO_KIND_PYTHON_LOCK,
};

enum lo_mode { LO_EXCLUSIVE = 0, LO_SHARED = 1 };
enum lo_how { LO_BLOCKING = 0, LO_TRY = 1, LO_TIMED = 2 };

enum lo_lock_flag {
    LO_RECURSIVE = 1,
    LO_ERRORCHECK = 2,
    LO_ROBUST = 4,
    LO_PSHARED = 8,
    LO_ON_STACK = 16,
    LO_SIGNAL = 32,  /* a semaphore that others post: no lock */
    LO_WRITTEN = 64, /* a reader-writer lock that somebody waited to write under */
};

enum lo_misuse {
    LO_UNLOCK_NOT_HELD = 1,
    LO_DESTROY_HELD,
    LO_EXIT_HELD,     /* a thread ended with the lock held */
    LO_FORK_HELD,     /* fork() with the lock held by another thread */
    LO_SELF_DEADLOCK, /* taken again by its holder, who waits for itself */
    LO_WAIT_NOT_HELD, /* a condition was waited for with a mutex that the thread does not hold */
};

struct lo_record {
    uint16_t type;
    uint16_t size; /* of the whole record, a multiple of 8 */
    uint32_t id;   /* of what it describes; the thread, where there is nothing else */
};

struct lo_module_record { /* one mapped object; text that maps elsewhere has a record of its own */
    struct lo_record record;
    uint64_t bias;  /* load address minus link address */
    uint64_t start; /* of all its segments */
    uint64_t end;
    uint16_t build_id_size;
    uint16_t path_size;
    uint32_t reserved;
    /* build id, path; padded with zeros */
};

struct lo_stack_record {
    struct lo_record record;
    uint32_t frames;
    uint32_t truncated; /* 1: there were more */
    uint64_t pc[];      /* return addresses, innermost first */
};

/* A stack whose outer frames are those of another one, which is an LO_STACK and was written before.
 */
struct lo_stack_on_record {
    struct lo_record record;
    uint32_t frames;
    uint32_t truncated;
    uint32_t base;
    uint32_t shared; /* outermost frames of *base*, which follow these */
    uint64_t pc[];
};

struct lo_place_record { /* record.id is the place: a line of Python */
    struct lo_record record;
    uint32_t line; /* 0: it has none */
    uint16_t file_size;
    uint16_t name_size;
    /* file and function in UTF-8; padded with zeros */
};

#define LO_PYTHON_ENTRY (1u << 31)

/* record.id is the stack, which is written after this. A frame of Python's is a place, 0: not
 * kept; with LO_PYTHON_ENTRY the interpreter was called for it and those before it. Outermost are
 * *shared* frames of another stack, whose record of this type was written before and has none. */
struct lo_python_record {
    struct lo_record record;
    uint32_t frames;    /* of its own */
    uint32_t truncated; /* 1: there were more */
    uint32_t base;
    uint32_t shared;
    uint32_t entry[]; /* innermost first; padded with zeros */
};

struct lo_lock_record {
    struct lo_record record;
    uint8_t kind;
    uint8_t flags;
    uint16_t reserved;
    uint32_t generation; /* of this address, from 1 */
    uint64_t address;
    uint32_t creation_stack; /* pthread_mutex_init and its like, 0: not known */
    uint32_t first_stack;    /* where this record was made: an early acquisition */
    uint64_t time_ns;
};

struct lo_gate {
    uint32_t lock;
    uint8_t mode;
    uint8_t how;
    uint16_t reserved;
};

struct lo_edge_record { /* record.id is the thread */
    struct lo_record record;
    uint32_t from;
    uint32_t to;
    uint8_t from_mode;
    uint8_t to_mode;
    uint8_t from_how;
    uint8_t to_how;
    uint32_t gates;      /* further locks held at that moment */
    uint32_t from_stack; /* where `from` was taken, 0: not kept, see from_pc */
    uint32_t to_stack;
    uint64_t from_pc;
    uint64_t time_ns;
    struct lo_gate gate[];
};

struct lo_blocked_record { /* record.id is the thread */
    struct lo_record record;
    uint16_t call; /* hook; a name record has its name */
    uint16_t held;
    uint32_t stack;
    uint64_t object;
    _Atomic uint64_t count;
    _Atomic uint64_t total_ns;
    _Atomic uint64_t longest_ns;
    uint64_t time_ns; /* of the first one */
    uint32_t own;     /* the mutex that a condition gives up while it waits, 0: none */
    uint32_t reserved;
    _Atomic uint64_t last_ns; /* of the last one that has returned */
    struct lo_held_stack {
        uint32_t lock;
        uint8_t mode;
        uint8_t how;
        uint16_t reserved;
        uint64_t pc;
        uint32_t stack; /* where it was taken, 0: not kept, see pc */
        uint32_t reserved2;
    } lock[];
};

struct lo_misuse_record { /* record.id is the thread */
    struct lo_record record;
    uint32_t kind; /* enum lo_misuse */
    uint32_t lock;
    uint32_t stack;
    uint32_t other_stack; /* where it was taken, 0: not kept */
    uint64_t pc;          /* of the call that took it, 0: not known */
    uint32_t holder;      /* thread that holds it, 0: none or not known */
    uint32_t count;
    uint64_t time_ns;
};

/* record.id is the lock; the last one for a lock counts. It is there from the first wait on, and
 * kept up with each, but for acquisitions, which threads count for themselves. */
struct lo_stat_record {
    struct lo_record record;
    _Atomic uint64_t acquisitions;
    _Atomic uint64_t contended;
    _Atomic uint64_t wait_ns; /* all waits together */
    _Atomic uint64_t longest_wait_ns;
    _Atomic uint64_t longest_hold_ns; /* among the holds that were timed, one in 64 */
    uint32_t holds_timed;
    uint32_t deepest; /* most locks that a thread held when it took this one */
};

struct lo_name_record { /* record.id is the hook */
    struct lo_record record;
    uint16_t name_size;
    uint16_t waits_for; /* enum lo_waits_for */
    uint32_t flags;     /* enum lo_call_flag */
    /* name; padded with zeros */
};

enum lo_waits_for {
    LO_WAITS_NOT,
    LO_WAITS_THREAD,
    LO_WAITS_CONDITION,
    LO_WAITS_GPU,
    LO_WAITS_RANKS,
    LO_WAITS_SEMAPHORE,
    LO_WAITS_PROCESS,
};

enum lo_call_flag {
    LO_CALL_DEVICE_SYNC = 1, /* synchronises the device implicitly */
    LO_CALL_LAUNCH = 2,      /* ends or is an NCCL launch region */
    LO_CALL_TIMED = 4,
    LO_CALL_SYNC = 8,        /* is made to wait for the device */
    LO_CALL_COLLECTIVE = 16, /* by every rank of the communicator, in one order */
    LO_CALL_PEER = 32,       /* between two ranks */
    LO_CALL_CREATES = 64,    /* communicators */
    LO_CALL_ENDS = 128,      /* one */
    LO_CALL_GROUP_BEGIN = 256,
    LO_CALL_GROUP_END = 512,
};

#include "trace_nccl.h"

#include "trace_footprint.h"

#endif
