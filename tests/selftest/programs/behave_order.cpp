// The order in which things are made and end: objects, thread-specific data, handlers, exceptions.
#include "turns.h"

#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace
{

std::mutex said;

void say(const char *what)
{
    std::lock_guard<std::mutex> lock(said);
    puts(what);
    fflush(stdout);
}

struct Said {
    const char *name;
    explicit Said(const char *of) : name(of)
    {
        std::lock_guard<std::mutex> lock(said);
        printf("%s begins\n", name);
    }
    ~Said()
    {
        std::lock_guard<std::mutex> lock(said);
        printf("%s ends\n", name);
        fflush(stdout);
    }
};

Said first("first global"), second("second global");

Said &local()
{
    static Said object("static local");
    return object;
}

thread_local Said of_thread("thread_local");

pthread_key_t key;

void key_ends(void *name)
{
    say(static_cast<const char *>(name));
    static int rounds;
    if (++rounds < 3) // what a destructor sets again is destroyed again
        pthread_setspecific(key, name);
}

void cleanup(void *name)
{
    say(static_cast<const char *>(name));
}

void *exits(void *)
{
    Said object("object of the exiting thread");
    (void)of_thread.name;
    pthread_setspecific(key, const_cast<char *>("key"));
    pthread_cleanup_push(cleanup, const_cast<char *>("cleanup"));
    pthread_exit(nullptr);
    pthread_cleanup_pop(0);
    return nullptr;
}

void *cancelled(void *)
{
    Said object("object of the cancelled thread");
    pthread_cleanup_push(cleanup, const_cast<char *>("cleanup of the cancelled thread"));
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return nullptr;
}

void run(void *(*of)(void *))
{
    pthread_t thread;
    void *result = nullptr;
    MUST(pthread_create(&thread, nullptr, of, nullptr) == 0);
    MUST(pthread_join(thread, &result) == 0);
    printf("cancelled: %d\n", result == PTHREAD_CANCELED);
}

void exceptions()
{
    std::once_flag once;
    for (int i = 0; i < 2; i++) {
        try {
            Said object("object under an exception");
            std::call_once(once, [i] {
                Said inside("call_once");
                if (i == 0)
                    throw std::runtime_error("thrown out of call_once");
            });
        } catch (const std::runtime_error &error) {
            say(error.what());
        }
    }
    std::recursive_mutex recursive;
    std::unique_lock<std::recursive_mutex> lock(recursive);
    try {
        lock.lock();
    } catch (const std::system_error &error) {
        say(error.code() == std::errc::resource_deadlock_would_occur ? "deadlock avoided" : "?");
    }
}

void at_exit()
{
    say("atexit");
}

void at_terminate()
{
    say("terminate");
    _exit(21);
}

} // namespace

int main(int argc, char **)
{
    MUST(atexit(at_exit) == 0);
    MUST(pthread_key_create(&key, key_ends) == 0);
    local();
    run(exits);
    run(cancelled);
    exceptions();
    std::thread([] { say(of_thread.name); }).join();
    if (argc > 1) {
        std::set_terminate(at_terminate);
        std::thread([] { throw std::runtime_error("nobody catches this"); }).join();
    }
    say("main ends");
    return 20;
}
