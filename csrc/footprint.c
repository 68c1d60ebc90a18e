/* What communicators cost: a picture of the process before and after the call that makes them, and
 * before and after their first operations, since NCCL connects and allocates when it must.
 *
 * A window is such a call, from its begin to its end. Its record is written when it begins, so that
 * one that never ends (the machine is out of memory, say) is in the trace as well. Windows of
 * several threads at once cannot be told apart, and say so.
 */
#include "footprint.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/statfs.h>

enum { MAX_LISTED = 64, MAX_ENVIRONMENT = 4096, SMALL_FILE = 128 };
enum { USED_COLLECTIVE = 1, USED_MESSAGE = 2 };

_Atomic uint32_t lo_footprint_windows;

static _Atomic uint32_t begun;        /* windows so far */
static _Atomic uint32_t forks;        /* a window that began before one is not this process' */
static _Atomic uint8_t *_Atomic uses; /* by communicator: USED_ bits; NULL: none was ever used */
static _Atomic uint64_t asked[2];
static _Atomic uintptr_t nccl_start, nccl_end; /* where NCCL's own code lies */
static _Atomic uint32_t nccl_version;          /* as ncclGetVersion has it, 0: not known */
static _Atomic uint64_t environment_told;      /* hash of what was written last */

/* What the group of this thread does when it ends. */
struct listed {
    uint32_t count, listed;
    lo_id id[MAX_LISTED];
};
static LO_THREAD_LOCAL struct {
    struct listed made, used;
    bool messages; /* the first of those that are used is a send or receive */
} group;

void lo_footprint_after_fork(void)
{
    atomic_fetch_add(&forks, 1);
    atomic_store(&lo_footprint_windows, 0);
    atomic_store(&environment_told, 0);
    _Atomic uint8_t *bits = atomic_load(&uses);
    if (bits != NULL)
        lo_clear((void *)bits, LO_MAX_COMMUNICATORS);
    memset(&group, 0, sizeof group);
}

/* ---- memory that NCCL asks the CUDA runtime for, where that is a library of its own --------- */

static int find_nccl(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    uintptr_t inside = *(uintptr_t *)argument, start = UINTPTR_MAX, end = 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t first = info->dlpi_addr + segment->p_vaddr;
        start = first < start ? first : start;
        end = first + segment->p_memsz > end ? first + segment->p_memsz : end;
    }
    if (inside - start >= end - start)
        return 0;
    atomic_store(&nccl_start, start);
    atomic_store(&nccl_end, end);
    return 1;
}

void lo_footprint_asks(enum lo_asked what, size_t size, uintptr_t pc)
{
    uintptr_t start = atomic_load(&nccl_start);
    if (pc - start < atomic_load(&nccl_end) - start)
        atomic_fetch_add_explicit(&asked[what], size, memory_order_relaxed);
}

static void take(struct lo_usage *usage)
{
    usage->host_asked = atomic_load(&asked[LO_ASKED_HOST]);
    usage->device_asked = atomic_load(&asked[LO_ASKED_DEVICE]);
    lo_usage_take(usage);
}

/* ---- the environment ------------------------------------------------------------------------ */

extern char **environ;

static bool is_setting(const char *variable)
{
    static const char *const prefixes[] = {"NCCL_", "RCCL_", "TORCH_NCCL_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* Fills *to where it is not NULL; what does not fit is left out, whole. */
static size_t settings(char *to, uint64_t *hash)
{
    size_t used = 0;
    for (char **at = environ; at != NULL && *at != NULL; at++) {
        size_t size = strlen(*at) + 1;
        if (!is_setting(*at) || used + size > MAX_ENVIRONMENT)
            continue;
        *hash = lo_fnv(*hash, *at, size);
        if (to != NULL)
            memcpy(to + used, *at, size);
        used += size;
    }
    return used;
}

static uint64_t total_memory(void)
{
    char text[SMALL_FILE];
    return lo_read_file("/proc/meminfo", text, sizeof text) <= 0
               ? 0
               : lo_number_after(text, "MemTotal:") * 1024;
}

/* Inside a container its own group is the root of what can be seen (cgroups(7)). */
static uint64_t group_limit(void)
{
    static const char *const files[] = {"/sys/fs/cgroup/memory.max",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    char text[SMALL_FILE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (lo_read_file(files[i], text, sizeof text) > 0 && text[0] >= '0' && text[0] <= '9')
            return lo_number_after(text, "");
    return 0;
}

static void find_version(void)
{
    int (*ask)(int *) = (int (*)(int *))lo_find_defined("ncclGetVersion");
    int version = 0;
    if (ask != NULL && ask(&version) == 0 && version > 0)
        atomic_store(&nccl_version, (uint32_t)version);
}

/* Once, and again when it has changed: NCCL reads its own files into it, and programs change it. */
static void tell_environment(struct lo_thread *thread)
{
    uint64_t hash = 0;
    size_t size = settings(NULL, &hash);
    hash |= 1;
    if (atomic_exchange(&environment_told, hash) == hash)
        return;
    struct lo_environment_record *record;
    size_t whole = sizeof *record + (size + 7) / 8 * 8;
    record = lo_trace_reserve(thread, whole);
    if (record == NULL)
        return;
    memset(record, 0, whole);
    struct statfs shm;
    *record = (struct lo_environment_record){
        .record = {LO_ENVIRONMENT, (uint16_t)whole, thread->index},
        .nccl_version = atomic_load(&nccl_version),
        .memory = total_memory(),
        .memory_limit = group_limit(),
        .shm = statfs("/dev/shm", &shm) == 0 ? (uint64_t)shm.f_blocks * (uint64_t)shm.f_bsize : 0,
        .time_ns = lo_now(),
    };
    /* It may have grown meanwhile, in another thread. */
    if (settings(NULL, &hash) <= whole - sizeof *record)
        record->text_size = (uint32_t)settings((char *)(record + 1), &hash);
    lo_trace_commit(thread, whole);
}

/* ---- windows ----------------------------------------------------------------------------------
 */

static void add(struct listed *to, lo_id id)
{
    if (to->listed < MAX_LISTED)
        to->id[to->listed++] = id;
    to->count++;
}

/* The first call of its kind on a communicator; those that overtake each other are one. */
static bool is_first(lo_id communicator, uint8_t kind)
{
    _Atomic uint8_t *bits = atomic_load_explicit(&uses, memory_order_acquire);
    if (LO_UNLIKELY(bits == NULL)) {
        _Atomic uint8_t *mine = lo_map(LO_MAX_COMMUNICATORS);
        if (mine == NULL)
            return false;
        if (atomic_compare_exchange_strong(&uses, &bits, mine))
            bits = mine;
    }
    if (communicator == 0 || communicator >= LO_MAX_COMMUNICATORS ||
        LO_LIKELY((atomic_load_explicit(&bits[communicator], memory_order_relaxed) & kind) != 0))
        return false;
    return (atomic_fetch_or(&bits[communicator], kind) & kind) == 0;
}

static LO_COLD void open_window(struct lo_nccl_call *call, enum lo_footprint_phase phase,
                                const struct listed *of)
{
    int cancelling;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    struct lo_thread *thread = call->thread;
    lo_id stack = lo_stack_here(thread); /* the call's total has that of another one */
    bool may_look = !lo_loader_may_be_locked() && lo_loader_enter();
    if (may_look) {
        uintptr_t real = (uintptr_t)atomic_load(&lo_real_functions[call->hook]);
        if (atomic_load(&nccl_end) == 0)
            dl_iterate_phdr(find_nccl, &real);
        if (atomic_load(&nccl_version) == 0)
            find_version();
        lo_usage_setup();
        lo_loader_leave();
    }
    tell_environment(thread);
    struct lo_footprint_record *record;
    size_t size = sizeof *record + (of->listed * sizeof *of->id + 7) / 8 * 8;
    record = lo_trace_reserve(thread, size);
    if (record != NULL) {
        memset((void *)record, 0, size);
        record->record = (struct lo_record){LO_FOOTPRINT, (uint16_t)size, of->id[0]};
        record->phase = (uint16_t)phase;
        record->call = (uint16_t)call->hook;
        record->thread = thread->index;
        record->stack = stack;
        record->count = of->count;
        record->listed = of->listed;
        memcpy(record->communicator, of->id, of->listed * sizeof *of->id);
        take(&record->before);
        lo_trace_commit(thread, size);
        if (atomic_fetch_add(&lo_footprint_windows, 1) != 0)
            atomic_fetch_or(&record->flags, LO_OVERLAPPED);
        call->footprint = record;
        call->footprint_number = atomic_fetch_add(&begun, 1) + 1;
        call->footprint_forks = atomic_load(&forks);
    }
    (void)pthread_setcancelstate(cancelling, NULL);
}

/* A group that is only simulated launches nothing. */
static void close_group(struct lo_nccl_call *call, bool launches)
{
    if (LO_LIKELY(group.made.count + group.used.count == 0))
        return;
    if (launches && group.made.count > 0)
        open_window(call, LO_MAKING, &group.made);
    else if (launches)
        open_window(call, group.messages ? LO_FIRST_MESSAGE : LO_FIRST_COLLECTIVE, &group.used);
    memset(&group, 0, sizeof group);
}

/* The communicators of a call, from *first on: at once, or when the group ends. */
static LO_COLD void is_about(struct lo_nccl_call *call, enum lo_footprint_phase phase, lo_id first,
                             uint32_t count)
{
    struct listed one = {0, 0, {0}};
    struct listed *to = &one;
    if (lo_group.depth > 0)
        to = phase == LO_MAKING ? &group.made : &group.used;
    if (to == &group.used && group.used.count == 0)
        group.messages = phase == LO_FIRST_MESSAGE;
    for (uint32_t i = 0; i < count; i++)
        add(to, first + i);
    if (one.count > 0)
        open_window(call, phase, &one);
}

/* A call of the program's own begins. What a group only queues happens when that ends. */
void lo_footprint_begin(struct lo_nccl_call *call, uint16_t flags)
{
    call->footprint = NULL;
    bool message = (flags & LO_CALL_PEER) != 0;
    if ((flags & LO_CALL_GROUP_END) != 0) {
        if (lo_group.depth == 1)
            close_group(call, (flags & LO_CALL_LAUNCH) != 0);
    } else if ((flags & LO_CALL_CREATES) != 0) {
        is_about(call, LO_MAKING, call->first_made, call->to_make);
    } else if ((flags & LO_CALL_LAUNCH) != 0 &&
               LO_UNLIKELY(
                   is_first(call->communicator, message ? USED_MESSAGE : USED_COLLECTIVE))) {
        is_about(call, message ? LO_FIRST_MESSAGE : LO_FIRST_COLLECTIVE, call->communicator, 1);
    }
    if (LO_UNLIKELY(call->footprint != NULL))
        call->start = lo_now(); /* what was looked at is not the call's time */
}

static LO_COLD void close_window(const struct lo_nccl_call *call)
{
    struct lo_footprint_record *record = call->footprint;
    int cancelling;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    uint32_t flags = 0;
    if (atomic_load(&begun) != call->footprint_number)
        flags |= LO_OVERLAPPED;
    if (call->status == LO_NCCL_IN_PROGRESS)
        flags |= LO_IN_PROGRESS;
    if (!lo_nccl_succeeded(call->status))
        flags |= LO_FAILED;
    atomic_fetch_or(&record->flags, flags);
    take(&record->after);
    atomic_fetch_sub(&lo_footprint_windows, 1);
    tell_environment(call->thread);
    (void)pthread_setcancelstate(cancelling, NULL);
}

void lo_footprint_end(const struct lo_nccl_call *call)
{
    if (LO_UNLIKELY(call->footprint != NULL) && call->footprint_forks == atomic_load(&forks))
        close_window(call);
}
