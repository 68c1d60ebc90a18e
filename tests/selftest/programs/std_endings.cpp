// std_endings CASE: the C++ library's waits, which take a lock again or end with another thread,
// and destructors that run when a thread or the program ends.
#include "turns.h"

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

namespace
{

std::mutex A, B;

NOINLINE void forwards()
{
    std::lock_guard<std::mutex> first(A);
    std::lock_guard<std::mutex> second(B);
}

NOINLINE void backwards()
{
    std::lock_guard<std::mutex> first(B);
    std::lock_guard<std::mutex> second(A);
}

void take_a()
{
    std::lock_guard<std::mutex> lock(A);
}

void nothing()
{
}

// ---- conditions ------------------------------------------------------------------------------

std::mutex monitor;
std::condition_variable changed;
std::condition_variable_any changed_any;
bool ready;
int waiting;

void wake()
{
    wait_for(&waiting, 1);
    std::lock_guard<std::mutex> lock(monitor);
    ready = true;
    changed.notify_one();
    changed_any.notify_one();
}

template <class Condition> NOINLINE void await(Condition &condition)
{
    std::unique_lock<std::mutex> lock(monitor);
    reach(&waiting, 1);
    condition.wait(lock, [] { return ready; });
}

void woken(act waits)
{
    std::thread waiter(waits), waker(wake);
    waiter.join();
    waker.join();
}

void monitor_then_a()
{
    std::lock_guard<std::mutex> first(monitor);
    std::lock_guard<std::mutex> second(A);
}

void condition_alone()
{
    woken([] { await(changed); });
}

void condition_any_alone()
{
    woken([] { await(changed_any); });
}

void condition_under_lock()
{
    woken([] {
        std::lock_guard<std::mutex> outer(A);
        await(changed);
    });
}

void condition_takes_again()
{
    woken([] {
        std::unique_lock<std::mutex> lock(monitor);
        std::lock_guard<std::mutex> inner(A);
        reach(&waiting, 1);
        changed.wait(lock, [] { return ready; });
    });
    in_thread(monitor_then_a);
}

void condition_at_thread_exit() // the lock outlives the thread's function, and is given up
{
    std::thread([] {
        std::unique_lock<std::mutex> lock(monitor);
        std::notify_all_at_thread_exit(changed, std::move(lock));
    }).join();
    in_thread(monitor_then_a);
}

// ---- other threads' ends ---------------------------------------------------------------------

void join_under_lock()
{
    std::thread user(nothing);
    std::lock_guard<std::mutex> lock(A);
    user.join();
}

void join_alone()
{
    std::thread user(take_a);
    user.join();
}

int a_taken;

int take_a_and_say()
{
    take_a();
    reach(&a_taken, 1);
    return 1;
}

// libstdc++ joins the thread inside a call_once of its own: nothing of the program's is held.
void future_alone()
{
    std::future<int> answer = std::async(std::launch::async, take_a_and_say);
    MUST(answer.get() == 1);
}

void future_under_lock()
{
    std::future<int> answer = std::async(std::launch::async, take_a_and_say);
    wait_for(&a_taken, 1);
    std::lock_guard<std::mutex> lock(A);
    MUST(answer.get() == 1);
}

// ---- destructors -----------------------------------------------------------------------------

struct AtEnd {
    act runs = nullptr;
    ~AtEnd()
    {
        if (runs)
            runs();
    }
};

AtEnd at_end;
thread_local AtEnd at_thread_end;

template <act does> void at_this_threads_end()
{
    at_thread_end.runs = does;
}

template <act does> void in_static_destructor()
{
    at_end.runs = does;
    in_thread(forwards);
}

template <act first, act second> void one_after_another()
{
    in_thread(first);
    in_thread(second);
}

} // namespace

int main(int argc, char **argv)
{
    static const named_case cases[] = {
        {"condition-alone", condition_alone},
        {"condition-any-alone", condition_any_alone},
        {"condition-under-lock", condition_under_lock},
        {"condition-takes-again", condition_takes_again},
        {"condition-at-thread-exit", condition_at_thread_exit},
        {"join-under-lock", join_under_lock},
        {"join-alone", join_alone},
        {"future-alone", future_alone},
        {"future-under-lock", future_under_lock},
        {"thread-local-orders", one_after_another<at_this_threads_end<backwards>, forwards>},
        {"thread-local-order", one_after_another<at_this_threads_end<forwards>, forwards>},
        {"static-destructor-orders", in_static_destructor<backwards>},
        {"static-destructor-order", in_static_destructor<forwards>},
    };
    return RUN_CASE(cases, argc, argv);
}
