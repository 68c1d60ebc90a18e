/* The part of the trace that tells what communicators cost: the process before and after, and what
 * its environment makes of it. The end of trace.h, which see. */
#ifndef LOCKORDER_TRACE_FOOTPRINT_H
#define LOCKORDER_TRACE_FOOTPRINT_H

#include "trace.h"

enum lo_usage_known {
    LO_KNOWS_STATUS = 1,
    LO_KNOWS_MAPS = 2,
    LO_KNOWS_FILES = 4,
    LO_KNOWS_GPU = 8
};

struct lo_usage {             /* of a process at one moment; bytes, where nothing else is said */
    _Atomic uint64_t time_ns; /* 0: it has not come to this */
    uint64_t anonymous;       /* resident: RssAnon, RssFile, RssShmem of /proc/self/status */
    uint64_t file;
    uint64_t shmem;
    uint64_t locked; /* VmLck, VmPin */
    uint64_t pinned;
    uint64_t private_mapped; /* accessible mappings without a file; as all below of proc_pid_maps */
    uint64_t shared_mapped;  /* of /dev/shm, memfd_create(2), System V */
    uint64_t zero_mapped;    /* shared, without a file: /dev/zero */
    uint64_t driver_mapped;  /* of GPU drivers' devices */
    uint64_t device_free;    /* of the thread's device, all its processes together */
    uint64_t device_total;
    uint64_t
        host_asked; /* pinned host and device memory that NCCL asked for so far, as far as seen */
    uint64_t device_asked;
    uint32_t threads;
    uint32_t files; /* open descriptors */
    uint32_t known; /* enum lo_usage_known */
    uint32_t reserved;
};

enum lo_footprint_phase {
    LO_MAKING = 1,       /* of communicators */
    LO_FIRST_COLLECTIVE, /* their first ones: NCCL connects lazily */
    LO_FIRST_MESSAGE,    /* send or receive */
};

enum lo_footprint_flag {
    LO_OVERLAPPED = 1,  /* another thread made communicators, or used them first, meanwhile */
    LO_IN_PROGRESS = 2, /* the call has returned before it was over: ncclInProgress */
    LO_FAILED = 4,
};

struct lo_footprint_record { /* record.id is the first communicator */
    struct lo_record record;
    uint16_t phase; /* enum lo_footprint_phase */
    uint16_t call;  /* hook */
    uint32_t thread;
    uint32_t stack;         /* of the call */
    _Atomic uint32_t flags; /* enum lo_footprint_flag */
    uint32_t count;         /* communicators */
    uint32_t listed;        /* those that follow */
    struct lo_usage before;
    struct lo_usage after;
    uint32_t communicator[];
};

struct lo_environment_record { /* record.id is the thread; the last one counts */
    struct lo_record record;
    uint32_t nccl_version; /* as ncclGetVersion has it, 0: not known */
    uint32_t text_size;
    uint64_t memory;       /* MemTotal */
    uint64_t memory_limit; /* of the control group, 0: none seen */
    uint64_t shm;          /* size of /dev/shm, 0: there is none */
    uint64_t time_ns;
    /* NAME=VALUE, each ended by a zero; padded with zeros */
};

_Static_assert(sizeof(struct lo_usage) == 128, "packed as documented");
_Static_assert(sizeof(struct lo_footprint_record) == 288, "packed as documented");
_Static_assert(sizeof(struct lo_environment_record) == 48, "packed as documented");

#endif
