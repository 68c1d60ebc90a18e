/* The trace file: made at start-up, grown by reserving pages, written through a mapping.
 *
 * No descriptor stays open: a daemon closes them all, and dup2(2) could put the program's
 * own file behind our number. The file grows by being opened again, checked to be still ours,
 * and having pages reserved on disk, so that writing to the mapping can neither fail for want
 * of space nor run past the end of the file (both are SIGBUS). It grows ahead of what is needed,
 * to open seldom: while it is open, a number is taken that the program may count on to be free.
 *
 * open(2), read(2), close(2) and posix_fallocate(3) are cancellation points, and the functions
 * that we stand in front of mostly are not (pthreads(7)): a thread that is to be cancelled must
 * not end inside pthread_mutex_lock. Whatever uses them says LO_UNCANCELLABLE.
 */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ATTEMPTS = 1000, RECORD_PAGES = 2, MAX_INTERRUPTIONS = 100, SMALL = 1 << 20 };
static const uint64_t max_limit = (uint64_t)256 << 20, min_limit = (uint64_t)1 << 20;
static const uint64_t least_ahead = (uint64_t)64 << 10;
static const uint64_t retry_ns = 10 * 1000 * 1000;

struct lo_header *lo_trace;

static char directory[PATH_MAX - 512];
static char path[PATH_MAX];
static dev_t device;
static ino_t inode;
static atomic_uint sequence;
static uint64_t limit;             /* bytes of the file that are mapped */
static _Atomic uint64_t reserved;  /* bytes of the file that are there */
static _Atomic uint64_t try_after; /* when the last attempt to reserve failed, and a while */

uint64_t lo_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static rlim_t limit_of(__rlimit_resource_t resource)
{
    struct rlimit set;
    return getrlimit(resource, &set) == 0 ? set.rlim_cur : RLIM_INFINITY;
}

/* Of an address space that the program may count on (RLIMIT_AS) no large part is taken. */
void *lo_map(size_t size)
{
    if (size > SMALL && size > limit_of(RLIMIT_AS) / 8)
        return NULL;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* In a child of a fork that drops the parent's pages, and touches none. */
void lo_clear(void *memory, size_t size)
{
    if (madvise(memory, size, MADV_DONTNEED) != 0) /* mlocked */
        memset(memory, 0, size);
}

static void restore_cancellation(const int *state)
{
    (void)pthread_setcancelstate(*state, NULL);
}

/* Until the end of the block. Where the state is put back, nothing is acted upon yet: that is
 * left to the program's own next cancellation point. */
#define LO_UNCANCELLABLE                                                                           \
    int cancel_state __attribute__((cleanup(restore_cancellation)));                               \
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state)

static void copy_text(char *to, size_t room, const char *from)
{
    size_t length = strlen(from);
    if (length >= room)
        length = room - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

static char *append(char *end, const char *text)
{
    size_t room = (size_t)(path + sizeof path - end);
    size_t length = strlen(text);
    if (length >= room)
        length = room - 1;
    memcpy(end, text, length);
    end[length] = '\0';
    return end + length;
}

static char *append_number(char *end, uint64_t number)
{
    char digits[21]; /* UINT64_MAX has 20 */
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return append(end, first);
}

/* The launchers' names for a process's place, in the order in which they are believed. */
static const char *const rank_variables[] = {"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK",
                                             "PMIX_RANK", "PMI_RANK"};
static const char *const local_variables[] = {"LOCAL_RANK", "SLURM_LOCALID",
                                              "OMPI_COMM_WORLD_LOCAL_RANK"};
static const char *const world_variables[] = {"WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE"};

static int32_t number_from(const char *const *names, size_t count, const char **which)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = getenv(names[i]);
        if (text == NULL || *text < '0' || *text > '9')
            continue;
        int64_t number = 0;
        const char *digit = text;
        for (; *digit >= '0' && *digit <= '9' && number <= INT32_MAX; digit++)
            number = number * 10 + (*digit - '0');
        if (*digit == '\0' && number <= INT32_MAX) {
            if (which != NULL)
                *which = names[i];
            return (int32_t)number;
        }
    }
    return -1;
}

#define NUMBER_FROM(names, which) number_from(names, sizeof names / sizeof *names, which)

static void read_file(const char *name, char *to, size_t room)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, to, room - 1);
    if (fd >= 0)
        close(fd);
    to[size < 0 ? 0 : size] = '\0';
    for (ssize_t i = 0; i + 1 < size; i++)
        if (to[i] == '\0')
            to[i] = ' '; /* /proc/self/cmdline separates arguments by zeros */
}

/* Copied once: a program may overwrite its environment (setproctitle). Only an absolute path
 * counts, since the program may change its directory. secure_getenv(3): a set-user-ID program
 * writes nothing for its caller. */
static bool find_directory(void)
{
    if (directory[0] != '\0')
        return true;
    const char *requested = secure_getenv("LOCKORDER_TRACE_DIR");
    if (requested == NULL || requested[0] != '/' || strlen(requested) >= sizeof directory)
        return false;
    memcpy(directory, requested, strlen(requested) + 1);
    return true;
}

/* Other hosts and containers use the same pids, and exec keeps one: a taken name gets a number.
 * O_EXCL does not follow links (open(2)), so a planted one is a taken name. */
static int create_within(const char *within, const char *host, int32_t rank)
{
    for (uint64_t attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        char *end = append(append(path, directory), within);
        end = append(end, "/trace-");
        if (rank >= 0)
            end = append(append_number(append(end, "rank"), (uint64_t)rank), "-");
        end = append(end, host);
        end = append_number(append(end, "-"), (uint64_t)getpid());
        end = append_number(append(end, "-"), attempt);
        append(end, ".lot");
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Processes of other users have a folder of their own, where whoever runs the job could make one.
 */
static int create(const char *host, int32_t rank)
{
    int fd = create_within("", host, rank);
    if (fd < 0 && (errno == EACCES || errno == EPERM))
        fd = create_within("/others", host, rank);
    return fd;
}

static void describe(struct lo_header *header, bool forked, const char *host, int32_t rank,
                     const char *variable)
{
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    header->start_monotonic_ns = lo_now();
    header->start_real_ns = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
    header->version = LO_TRACE_VERSION;
    header->header_size = LO_PAGE;
    header->pointer_size = sizeof(void *);
    header->endian = 0x01020304;
    header->limit = limit;
    header->pid = (uint32_t)getpid();
    header->parent = (uint32_t)getppid();
    header->rank = rank;
    header->local_rank = NUMBER_FROM(local_variables, NULL);
    header->world_size = NUMBER_FROM(world_variables, NULL);
    header->flags = (forked ? LO_FORKED : 0) | atomic_load(&lo_python_flags);
    atomic_store(&header->state, LO_RUNNING);
    header->budget = lo_budget;
    atomic_store(&header->allocated, LO_PAGE);
    copy_text(header->host, sizeof header->host, host);
    copy_text(header->rank_variable, sizeof header->rank_variable, variable);
    ssize_t size = readlink("/proc/self/exe", header->exe, sizeof header->exe - 1);
    header->exe[size < 0 ? 0 : size] = '\0';
    read_file("/proc/self/cmdline", header->command, sizeof header->command);
    memcpy(header->magic, "LOTRACE\n", sizeof header->magic); /* last: a file without it is none */
}

/* Reserves [offset, offset + size) of an open file. Past RLIMIT_FSIZE the kernel would send
 * SIGXFSZ, which ends a program that never wrote too much itself (setrlimit(2)). */
static bool reserve(int fd, uint64_t offset, uint64_t size)
{
    rlim_t most = limit_of(RLIMIT_FSIZE);
    if (most != RLIM_INFINITY && offset + size > most)
        return false;
    int status = EINTR;
    for (int i = 0; i < MAX_INTERRUPTIONS && status == EINTR; i++)
        status = posix_fallocate(fd, (off_t)offset, (off_t)size);
    return status == 0;
}

/* As much as can be had, up to a part of the address space: see lo_map. */
static void *map_file(int fd)
{
    rlim_t space = limit_of(RLIMIT_AS);
    for (limit = max_limit; limit > min_limit && limit > space / 16;)
        limit /= 2;
    for (; limit >= min_limit; limit /= 2) {
        void *memory = mmap(NULL, limit, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (memory != MAP_FAILED)
            return memory;
    }
    return NULL;
}

/* Where there is no room for a trace, the empty file says so: its reader calls it torn. */
bool lo_trace_open(bool forked)
{
    if (!find_directory())
        return false;
    LO_UNCANCELLABLE;
    char host[64] = "host";
    if (gethostname(host, sizeof host - 1) == 0)
        for (char *c = host; *c != '\0'; c++)
            if (*c == '/')
                *c = '_';
    const char *variable = "";
    int32_t rank = NUMBER_FROM(rank_variables, &variable);
    int fd = create(host, rank);
    if (fd < 0)
        return false;
    struct stat status;
    void *memory = NULL;
    if (reserve(fd, 0, LO_PAGE) && fstat(fd, &status) == 0)
        memory = map_file(fd);
    if (memory == NULL)
        (void)!ftruncate(fd, 0);
    close(fd);
    if (memory == NULL)
        return false;
    device = status.st_dev;
    inode = status.st_ino;
    atomic_store(&reserved, LO_PAGE);
    atomic_store(&try_after, 0);
    /* A child that dies as a core dump need not repeat what the file has. */
    (void)madvise(memory, limit, MADV_DONTDUMP);
    describe(memory, forked, host, rank, variable);
    lo_trace = memory;
    return true;
}

_Atomic uint32_t lo_trace_opens, lo_trace_closes;

static bool reserve_on_disk(uint64_t offset, uint64_t size)
{
    LO_UNCANCELLABLE;
    atomic_fetch_add(&lo_trace_opens, 1);
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    bool done = false;
    if (fd >= 0) {
        struct stat status;
        bool ours = fstat(fd, &status) == 0 && status.st_dev == device && status.st_ino == inode;
        done = ours && reserve(fd, offset, size);
        close(fd);
    }
    atomic_fetch_add(&lo_trace_closes, 1);
    return done;
}

/* Makes the file at least *end* bytes long, by a sixteenth more where there is room: seldom
 * enough, since a trace is at most a few MiB. What two threads do here at once overlaps and does no
 * harm. */
static bool grow(uint64_t end)
{
    uint64_t from = atomic_load(&reserved);
    if (end <= from)
        return true;
    uint64_t now = lo_now();
    if (now < atomic_load(&try_after))
        return false;
    uint64_t ahead = end + (end / 16 > least_ahead ? end / 16 / LO_PAGE * LO_PAGE : least_ahead);
    if (ahead > limit)
        ahead = limit;
    if (!reserve_on_disk(from, ahead - from)) {
        ahead = end;
        if (!reserve_on_disk(from, ahead - from)) {
            atomic_store(&try_after, now + retry_ns);
            return false;
        }
    }
    while (ahead > from && !atomic_compare_exchange_weak(&reserved, &from, ahead))
        ;
    return true;
}

struct lo_block *lo_trace_block(enum lo_block_kind kind, uint16_t pages, uint32_t thread)
{
    struct lo_header *header = lo_trace;
    if (header == NULL)
        return NULL;
    uint64_t size = (uint64_t)pages * LO_PAGE;
    uint64_t offset = atomic_load(&header->allocated);
    do {
        /* Reserved first: what `allocated` covers can always be written. */
        if (offset + size > limit || !grow(offset + size))
            return NULL;
    } while (!atomic_compare_exchange_strong(&header->allocated, &offset, offset + size));
    struct lo_block *block = (struct lo_block *)((char *)header + offset);
    block->kind = (uint16_t)kind;
    block->pages = pages;
    block->thread = thread;
    block->sequence = atomic_fetch_add(&sequence, 1);
    atomic_store(&block->used, (uint32_t)sizeof *block);
    atomic_store_explicit(&block->magic, LO_BLOCK_MAGIC, memory_order_release);
    return block;
}

void *lo_trace_reserve(struct lo_thread *thread, size_t size)
{
    struct lo_block *block = thread->records;
    uint32_t used = block == NULL ? 0 : atomic_load_explicit(&block->used, memory_order_relaxed);
    if (block == NULL || used + size > (size_t)block->pages * LO_PAGE) {
        if (size > RECORD_PAGES * LO_PAGE - sizeof *block)
            block = NULL;
        else
            block = lo_trace_block(LO_BLOCK_RECORDS, RECORD_PAGES, thread->index);
        if (block == NULL) {
            lo_count(LO_RECORDS_DROPPED, 1);
            return NULL;
        }
        thread->records = block;
        used = sizeof *block;
    }
    return (char *)block + used;
}

/* The reader sees the record from now on. */
void lo_trace_commit(struct lo_thread *thread, size_t size)
{
    struct lo_block *block = thread->records;
    uint32_t used = atomic_load_explicit(&block->used, memory_order_relaxed);
    atomic_store_explicit(&block->used, used + (uint32_t)size, memory_order_release);
}
