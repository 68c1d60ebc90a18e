/* The count file: what the shim saw of one process, written as it exits.
 *
 * Text, one `key value` a line; the reader (runtime_probe/counts.py) refuses a
 * file without this first line or without `end`, which a torn one lacks:
 *
 *   lockorder-counts 1
 *   pid 4711
 *   threads 2
 *   max_depth 3
 *   call pthread_mutex_lock 120        one line for each function in hooks.def
 *   end
 *
 * A process that ends in _exit(2), execve(2) or a signal writes none. Nothing
 * is ever printed: by now descriptor 2 may belong to anything.
 */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1, MAX_ATTEMPTS = 1000 };

struct text {
    size_t length;
    bool overflow;
    char bytes[4096];
};

static const char *const hook_names[LO_HOOK_COUNT] = {
#define HOOK(name, effect, version, params, args) [LO_HOOK_##name] = #name,
#include "hooks.def"
#undef HOOK
};

static char directory[PATH_MAX];

/* Static: an exiting thread's stack may be small. Used by one thread, once. */
static struct text content;
static struct text path;

static void append(struct text *text, const char *string)
{
    size_t length = strlen(string);
    if (length >= sizeof text->bytes - text->length) {
        text->overflow = true;
        return;
    }
    memcpy(text->bytes + text->length, string, length + 1);
    text->length += length;
}

static void append_number(struct text *text, uint64_t number)
{
    char digits[21]; /* UINT64_MAX has 20 */
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    append(text, first);
}

static void append_line(struct text *text, const char *key, uint64_t number)
{
    append(text, key);
    append(text, " ");
    append_number(text, number);
    append(text, "\n");
}

static void write_content(const struct lo_totals *totals)
{
    append_line(&content, "lockorder-counts", FORMAT_VERSION);
    append_line(&content, "pid", (uint64_t)getpid());
    append_line(&content, "threads", totals->threads);
    append_line(&content, "max_depth", totals->max_depth);
    for (size_t i = 0; i < LO_HOOK_COUNT; i++) {
        append(&content, "call ");
        append_line(&content, hook_names[i], totals->calls[i]);
    }
    append(&content, "end\n");
}

/* Other hosts and containers use the same pids: a taken name gets a number. */
static int create_file(void)
{
    for (uint64_t attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        path.length = 0;
        append(&path, directory);
        append(&path, "/counts-");
        append_number(&path, (uint64_t)getpid());
        append(&path, "-");
        append_number(&path, attempt);
        append(&path, ".txt");
        if (path.overflow)
            return -1;
        int fd = open(path.bytes, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static void write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return; /* torn: the reader sees that `end` is missing */
        bytes += written;
        length -= (size_t)written;
    }
}

/* Copied at start-up: a program may overwrite its environment (setproctitle).
 * Only an absolute path counts, since the program may change its directory.
 * secure_getenv(3): a set-user-ID program writes nothing for its caller. */
void lo_report_prepare(void)
{
    const char *requested = secure_getenv("LOCKORDER_TRACE_DIR");
    if (requested == NULL || requested[0] != '/' || strlen(requested) >= sizeof directory)
        return;
    memcpy(directory, requested, strlen(requested) + 1);
}

void lo_report_write(void)
{
    if (directory[0] == '\0')
        return;
    struct lo_totals totals;
    lo_counters_sum(&totals);
    int saved_errno = errno;
    write_content(&totals);
    int fd = content.overflow ? -1 : create_file();
    if (fd >= 0) {
        write_all(fd, content.bytes, content.length);
        close(fd);
    }
    errno = saved_errno;
}
