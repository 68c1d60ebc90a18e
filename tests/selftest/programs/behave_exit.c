/* behave_exit HOW: the ways in which a process can end, with a lock held in every one of them. */
#include "turns.h"

#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void at_exit(void)
{
    puts("atexit");
}

static void at_quick_exit_too(void)
{
    puts("at_quick_exit");
    fflush(stdout);
}

__attribute__((destructor)) static void destructor(void)
{
    puts("destructor");
}

static void *forever(void *unused)
{
    pthread_mutex_lock(&mutex);
    pause();
    return unused;
}

static void *exits(void *unused)
{
    (void)unused;
    exit(11);
}

static char *volatile nowhere;

static void end(const char *how)
{
    pthread_t thread;
    if (strcmp(how, "exit") == 0)
        exit(7);
    if (strcmp(how, "_exit") == 0)
        _exit(8);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(9);
    if (strcmp(how, "pthread_exit") == 0)
        pthread_exit(NULL);
    if (strcmp(how, "thread") == 0) {
        MUST(pthread_create(&thread, NULL, exits, NULL) == 0);
        pthread_join(thread, NULL);
    }
    if (strcmp(how, "busy") == 0)
        MUST(pthread_create(&thread, NULL, forever, NULL) == 0);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0)
        *nowhere = 0;
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
}

int main(int argc, char **argv)
{
    MUST(argc == 2);
    MUST(atexit(at_exit) == 0);
    MUST(at_quick_exit(at_quick_exit_too) == 0);
    puts("main");
    fflush(stdout);
    if (strcmp(argv[1], "busy") != 0)
        pthread_mutex_lock(&mutex);
    end(argv[1]);
    return 10;
}
