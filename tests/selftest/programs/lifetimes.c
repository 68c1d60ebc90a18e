/* lifetimes CASE: which lock is it? Addresses that come back.
 *
 * An address names a lock only while that lock lives. The cases come in pairs: in one the address
 * is another lock's by then, in its twin the lock has lived on.
 */
#include "turns.h"

#include <dlfcn.h>
#include <sys/mman.h>

static pthread_mutex_t outside = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void nest(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static pthread_mutex_t *the_lock;

static void lock_then_outside(void)
{
    nest(the_lock, &outside);
}

static void outside_then_lock(void)
{
    nest(&outside, the_lock);
}

static void same_address(const void *before, const void *after)
{
    MUST(before == after); /* or the case would show nothing */
}

/* ---- the heap ----------------------------------------------------------------------------- */

static pthread_mutex_t *allocate(void)
{
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    MUST(mutex);
    *mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    return mutex;
}

static void heap_reused(void)
{
    the_lock = allocate();
    in_thread(lock_then_outside);
    pthread_mutex_t *volatile before = the_lock;
    free(the_lock);
    the_lock = allocate();
    same_address(before, the_lock);
    in_thread(outside_then_lock);
    free(the_lock);
}

static void heap_kept(void)
{
    the_lock = allocate();
    in_thread(lock_then_outside);
    in_thread(outside_then_lock);
    free(the_lock);
}

static char *cleared_block(void)
{
    char *block = malloc(256);
    MUST(block);
    return memset(block, 0, 256);
}

/* A lock inside a larger block. */
static void heap_inside(void (*between)(char **block))
{
    char *block = cleared_block();
    the_lock = (pthread_mutex_t *)(block + 128);
    in_thread(lock_then_outside);
    between(&block);
    the_lock = (pthread_mutex_t *)(block + 128);
    in_thread(outside_then_lock);
    free(block);
}

static void free_the_block(char **block)
{
    char *volatile before = *block;
    free(*block);
    *block = cleared_block();
    same_address(before, *block);
}

static void leave_the_block(char **block)
{
    (void)block;
}

static void heap_inside_reused(void)
{
    heap_inside(free_the_block);
}

static void heap_inside_kept(void)
{
    heap_inside(leave_the_block);
}

/* ---- destroy and init --------------------------------------------------------------------- */

static void reinitialised(int destroy)
{
    static pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    the_lock = &mutex;
    in_thread(lock_then_outside);
    if (destroy)
        MUST(pthread_mutex_destroy(&mutex) == 0);
    pthread_mutex_init(&mutex, NULL);
    in_thread(outside_then_lock);
    pthread_mutex_destroy(&mutex);
}

static void destroyed_and_made_again(void)
{
    reinitialised(1);
}

static void made_again(void)
{
    reinitialised(0);
}

static void made_once(void)
{
    static pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    the_lock = &mutex;
    in_thread(lock_then_outside);
    in_thread(outside_then_lock);
    pthread_mutex_destroy(&mutex);
}

/* ---- stacks ------------------------------------------------------------------------------- */

static void *volatile stack_address;

/* The first call remembers where its lock lies, the second must find its own there. */
static void at_one_address(pthread_mutex_t *mutex)
{
    if (stack_address)
        same_address(stack_address, mutex);
    stack_address = the_lock = mutex;
}

static NOINLINE void frame(void (*then)(act), act does)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    at_one_address(&mutex);
    then(does);
}

static NOINLINE void here(act does)
{
    does();
}

static void stack_lock_first(void)
{
    frame(here, lock_then_outside);
}

static void stack_lock_second(void)
{
    frame(here, outside_then_lock);
}

/* The second thread gets the stack of the first one, which has ended. */
static void thread_stack_reused(void)
{
    in_thread(stack_lock_first);
    in_thread(stack_lock_second);
}

/* Two calls of one thread leave their locks at one address; other threads took them. */
static void frame_reused(void)
{
    frame(in_thread, lock_then_outside);
    frame(in_thread, outside_then_lock);
}

/* The frame's own thread took the first lock, another one takes the second. */
static void frame_reused_by_another(void)
{
    frame(here, lock_then_outside);
    frame(in_thread, outside_then_lock);
}

static void both_in_threads(act does)
{
    in_thread(does);
    in_thread(outside_then_lock);
}

static void frame_kept(void)
{
    frame(both_in_threads, lock_then_outside);
}

static pthread_mutex_t another = PTHREAD_MUTEX_INITIALIZER;

static void lock_then_another(void)
{
    nest(the_lock, &another);
}

static void another_then_lock(void)
{
    nest(&another, the_lock);
}

static NOINLINE void brief(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

/* A function's own lock, and then that of one that it calls: both are given back. */
static void frames_one_in_another(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    brief();
    brief();
}

static void another_first(act does)
{
    lock_then_another();
    in_thread(does);
}

/* That another lock lies there by now shows only while that is held. */
static void frame_reused_while_held(void)
{
    frame(here, lock_then_outside);
    frame(another_first, outside_then_lock);
}

static void frame_reused_and_both_ways(void)
{
    frame(here, lock_then_outside);
    frame(another_first, another_then_lock);
}

/* More arguments than there are registers for lie on the stack. */
static NOINLINE void with_many(int a, int b, int c, int d, int e, int f, int g, int h, act does)
{
    if (a + b + c + d + e + f + g + h == 36)
        does();
}

static void brief_another(void)
{
    pthread_mutex_lock(&another);
    pthread_mutex_unlock(&another);
}

/* The stack pointer moves, and the frame with the lock stays. */
static void frame_kept_around_arguments(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    the_lock = &mutex;
    here(lock_then_outside);
    with_many(1, 2, 3, 4, 5, 6, 7, 8, brief_another);
    in_thread(outside_then_lock);
}

/* ---- mappings and libraries --------------------------------------------------------------- */

static void *map(void *at)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
    void *memory = mmap(at, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    MUST(memory != MAP_FAILED);
    return memory;
}

static void mapping(int again)
{
    the_lock = map(NULL);
    in_thread(lock_then_outside);
    if (again) {
        MUST(munmap(the_lock, 4096) == 0);
        same_address(the_lock, map(the_lock));
    }
    in_thread(outside_then_lock);
    MUST(munmap(the_lock, 4096) == 0);
}

static void mapping_reused(void)
{
    mapping(1);
}

static void mapping_kept(void)
{
    mapping(0);
}

static void *open_plugin(void)
{
    const char *path = getenv("SELFTEST_PLUGIN");
    MUST(path);
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    MUST(plugin);
    the_lock = dlsym(plugin, "plugin_lock");
    MUST(the_lock);
    return plugin;
}

static void library(int close)
{
    void *plugin = open_plugin();
    in_thread(lock_then_outside);
    if (close) {
        pthread_mutex_t *before = the_lock;
        dlclose(plugin);
        plugin = open_plugin();
        same_address(before, the_lock);
    }
    in_thread(outside_then_lock);
    dlclose(plugin);
}

static void library_closed(void)
{
    library(1);
}

static void library_kept(void)
{
    library(0);
}

/* Locks that the library takes itself: its calls must be seen although it came late. */
static void late_library(const char *first, const char *second)
{
    void *plugin = open_plugin();
    act acts[2];
    *(void **)&acts[0] = dlsym(plugin, first);
    *(void **)&acts[1] = dlsym(plugin, second);
    MUST(acts[0] && acts[1]);
    in_turn(2, acts);
    dlclose(plugin);
}

static void late_library_orders(void)
{
    late_library("plugin_forwards", "plugin_backwards");
}

static void late_library_order(void)
{
    late_library("plugin_forwards", "plugin_forwards");
}

int main(int argc, char **argv)
{
    static const struct named_case cases[] = {
        {"heap-reused", heap_reused},
        {"heap-kept", heap_kept},
        {"heap-inside-reused", heap_inside_reused},
        {"heap-inside-kept", heap_inside_kept},
        {"destroyed-and-made-again", destroyed_and_made_again},
        {"made-again", made_again},
        {"made-once", made_once},
        {"thread-stack-reused", thread_stack_reused},
        {"frame-reused", frame_reused},
        {"frame-reused-by-another", frame_reused_by_another},
        {"frame-kept", frame_kept},
        {"frames-one-in-another", frames_one_in_another},
        {"frame-reused-while-held", frame_reused_while_held},
        {"frame-reused-and-both-ways", frame_reused_and_both_ways},
        {"frame-kept-around-arguments", frame_kept_around_arguments},
        {"mapping-reused", mapping_reused},
        {"mapping-kept", mapping_kept},
        {"library-closed", library_closed},
        {"library-kept", library_kept},
        {"late-library-orders", late_library_orders},
        {"late-library-order", late_library_order},
    };
    return RUN_CASE(cases, argc, argv);
}
