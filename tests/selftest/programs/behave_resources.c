/* What a process can see of itself, and what a tool in it must leave as it was. */
#include "turns.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void show_files(const char *when)
{
    int fd = open("/dev/null", O_RDONLY);
    printf("%s, the next file is %d\n", when, fd);
    close(fd);
}

static void show_threads(const char *when)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    MUST(tasks);
    for (struct dirent *entry; (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    printf("%s, threads: %d\n", when, count);
}

static void *thread(void *unused)
{
    pthread_attr_t attributes;
    size_t size = 0, guard = 0;
    char name[32] = "";
    int state, type;
    pthread_mutex_lock(&mutex);
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_getguardsize(&attributes, &guard);
    pthread_attr_destroy(&attributes);
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    printf("stack %zu, guard %zu, name %s, cancellation %d %d\n", size, guard, name, state, type);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void threads(size_t stack)
{
    pthread_attr_t attributes;
    pthread_t started;
    MUST(pthread_attr_init(&attributes) == 0);
    if (stack)
        MUST(pthread_attr_setstacksize(&attributes, stack) == 0);
    MUST(pthread_create(&started, &attributes, thread, NULL) == 0);
    MUST(pthread_join(started, NULL) == 0);
    MUST(pthread_attr_destroy(&attributes) == 0);
}

static void limits(void)
{
    static const int which[] = {RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_AS, RLIMIT_CORE, RLIMIT_FSIZE};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        struct rlimit limit;
        MUST(getrlimit(which[i], &limit) == 0);
        printf("limit %d: %llu\n", which[i], (unsigned long long)limit.rlim_cur);
    }
}

static void environment(void)
{
    for (char **each = environ; *each; each++) {
        int name = (int)strcspn(*each, "=");
        unsigned sum = 0; /* of the value, which is nobody's business */
        for (const char *at = *each + name; *at; at++)
            sum = sum * 31 + (unsigned char)*at;
        if (strncmp(*each, "LD_PRELOAD=", 11) != 0 && strncmp(*each, "LOCKORDER_", 10) != 0)
            printf("%.*s %08x\n", name, *each, sum);
    }
}

static void files_in_child(void)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        show_files("in a child");
        show_threads("in a child");
        fflush(stdout);
        _exit(5);
    }
    MUST(waitpid(child, &status, 0) == child);
    printf("its exit status: %d\n", WEXITSTATUS(status));
    printf("no other child: %d\n", waitpid(-1, &status, 0) == -1 && errno == ECHILD);
}

int main(void)
{
    char directory[4096];
    mode_t mask = umask(077);
    show_files("at the start");
    show_threads("at the start");
    threads(0);
    threads(16384);
    limits();
    printf("umask %o\n", (unsigned)mask);
    MUST(getcwd(directory, sizeof directory));
    puts(directory);
    environment();
    files_in_child();
    show_files("at the end");
    show_threads("at the end");
    MUST(fclose(stdin) == 0);
    show_files("without stdin");
    return 0;
}
