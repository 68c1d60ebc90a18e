/* What the process has at this moment, asked of the kernel and of the CUDA driver.
 *
 * /proc is read through small buffers on the stack, since nothing may be allocated here; a process
 * with thousands of mappings takes some milliseconds. The driver is only asked where the thread
 * has a context: asking must not make one.
 */
#include "footprint.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUFFER = 2048, LINE = 160, KIB = 1024, RELAXED_CAPTURE = 2 };

/* cuda.h: CUresult is an int, CUcontext a pointer, CUstreamCaptureMode an enumeration. */
static _Atomic(void *) get_context, get_memory, exchange_mode;

void lo_usage_setup(void)
{
    static const struct {
        _Atomic(void *) *function;
        const char *name;
    } wanted[] = {{&exchange_mode, "cuThreadExchangeStreamCaptureMode"},
                  {&get_context, "cuCtxGetCurrent"},
                  {&get_memory, "cuMemGetInfo_v2"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (atomic_load(wanted[i].function) == NULL)
            atomic_store(wanted[i].function, lo_find_defined(wanted[i].name));
}

static ssize_t read_some(int fd, char *to, size_t room)
{
    ssize_t size;
    do
        size = read(fd, to, room);
    while (size < 0 && errno == EINTR);
    return size;
}

ssize_t lo_read_file(const char *path, char *to, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t size = -1;
    while (fd >= 0 && length + 1 < room &&
           (size = read_some(fd, to + length, room - 1 - length)) > 0)
        length += (size_t)size;
    if (fd >= 0)
        close(fd);
    to[length] = '\0';
    return size < 0 ? -1 : (ssize_t)length;
}

static uint64_t decimal(const char *text)
{
    uint64_t number = 0;
    while (*text == ' ' || *text == '\t')
        text++;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (uint64_t)(*text - '0');
    return number;
}

uint64_t lo_number_after(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found == NULL ? 0 : decimal(found + strlen(name));
}

/* proc_pid_status(5). */
static void take_status(struct lo_usage *usage)
{
    char text[2 * BUFFER];
    if (lo_read_file("/proc/self/status", text, sizeof text) <= 0)
        return;
    usage->anonymous = lo_number_after(text, "\nRssAnon:") * KIB;
    usage->file = lo_number_after(text, "\nRssFile:") * KIB;
    usage->shmem = lo_number_after(text, "\nRssShmem:") * KIB;
    usage->locked = lo_number_after(text, "\nVmLck:") * KIB;
    usage->pinned = lo_number_after(text, "\nVmPin:") * KIB;
    usage->threads = (uint32_t)lo_number_after(text, "\nThreads:");
    usage->known |= LO_KNOWS_STATUS;
}

/* getdents64(2): the directory's own descriptor is one of the entries, and not the program's. */
static bool count_files(struct lo_usage *usage)
{
    _Alignas(uint64_t) char entries[BUFFER];
    int fd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    uint32_t count = 0;
    ssize_t size;
    while ((size = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
        for (ssize_t at = 0; at < size;) {
            uint16_t length; /* struct linux_dirent64: two numbers of 8 bytes, then this */
            memcpy(&length, entries + at + 16, sizeof length);
            count += entries[at + 19] != '.';
            if (length == 0)
                break;
            at += length;
        }
    }
    close(fd);
    usage->files = count == 0 ? 0 : count - 1;
    usage->known |= LO_KNOWS_FILES;
    return true;
}

/* Again where another thread had the trace open meanwhile, which is not the program's either. */
static void take_files(struct lo_usage *usage)
{
    enum { ATTEMPTS = 16 };
    for (int i = 0; i < ATTEMPTS; i++) {
        uint32_t closed = atomic_load(&lo_trace_closes);
        if (!count_files(usage) || atomic_load(&lo_trace_opens) == closed)
            return;
        sched_yield();
    }
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static uint64_t hexadecimal(const char **text)
{
    uint64_t number = 0;
    for (;; ++*text) {
        char c = **text;
        if (c >= '0' && c <= '9')
            number = number << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number << 4 | (uint64_t)(c - 'a' + 10);
        else
            return number;
    }
}

/* proc_pid_maps(5): `start-end perms offset device inode path`, the path after spaces. What may not
 * be accessed is address space that somebody keeps for later: the driver keeps terabytes. */
static void take_mapping(struct lo_usage *usage, const char *line)
{
    uint64_t start = hexadecimal(&line);
    if (*line++ != '-')
        return;
    uint64_t size = hexadecimal(&line) - start;
    if (*line++ != ' ' || line[0] == '\0' || (line[0] == '-' && line[1] == '-'))
        return;
    for (int field = 0; field < 4 && *line != '\0'; field++) {
        while (*line != ' ' && *line != '\0')
            line++;
        while (*line == ' ')
            line++;
    }
    if (*line == '\0' || begins(line, "[heap") || begins(line, "[stack") || begins(line, "[anon"))
        usage->private_mapped += size;
    else if (begins(line, "/dev/shm/") || begins(line, "/memfd:") || begins(line, "/SYSV"))
        usage->shared_mapped += size;
    else if (begins(line, "/dev/zero"))
        usage->zero_mapped += size;
    else if (begins(line, "/dev/nvidia") || begins(line, "/dev/kfd") || begins(line, "/dev/dri/"))
        usage->driver_mapped += size;
}

static void take_maps(struct lo_usage *usage)
{
    char buffer[BUFFER], line[LINE];
    size_t length = 0;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t size;
    while ((size = read_some(fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < size; i++) {
            if (buffer[i] != '\n') {
                if (length + 1 < sizeof line)
                    line[length++] = buffer[i];
                continue;
            }
            line[length] = '\0';
            length = 0;
            take_mapping(usage, line);
        }
    }
    close(fd);
    if (size == 0)
        usage->known |= LO_KNOWS_MAPS;
}

/* The driver's own allocations are made in relaxed mode, and so is this question: a capture of a
 * stream (CUDA Driver API, "Stream Management") must not notice. */
static void take_device(struct lo_usage *usage)
{
    int (*context_of)(void **) = (int (*)(void **))atomic_load(&get_context);
    int (*memory_of)(size_t *, size_t *) = (int (*)(size_t *, size_t *))atomic_load(&get_memory);
    int (*exchange)(int *) = (int (*)(int *))atomic_load(&exchange_mode);
    void *context = NULL;
    size_t left = 0, total = 0;
    if (context_of == NULL || memory_of == NULL || context_of(&context) != 0 || context == NULL)
        return;
    int mode = RELAXED_CAPTURE;
    bool exchanged = exchange != NULL && exchange(&mode) == 0;
    if (memory_of(&left, &total) == 0) {
        usage->device_free = left;
        usage->device_total = total;
        usage->known |= LO_KNOWS_GPU;
    }
    if (exchanged)
        (void)exchange(&mode);
}

void lo_usage_take(struct lo_usage *usage)
{
    uint64_t now = lo_now();
    usage->known = 0;
    take_status(usage);
    take_files(usage);
    take_maps(usage);
    take_device(usage);
    atomic_store_explicit(&usage->time_ns, now, memory_order_release); /* last: the rest counts */
}
