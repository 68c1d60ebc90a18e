// std_library CASE: what the C++ library and the compiler make of locks: guards that move,
// exceptions, initialisers that run once.
#include "turns.h"

#include <mutex>
#include <shared_mutex>
#include <stdexcept>

namespace
{

std::mutex A, B, C;
std::shared_mutex shared_A, shared_B;

NOINLINE void backwards()
{
    std::lock_guard<std::mutex> first(B);
    std::lock_guard<std::mutex> second(A);
}

// ---- guards ----------------------------------------------------------------------------------

NOINLINE std::unique_lock<std::mutex> hold_a()
{
    std::unique_lock<std::mutex> lock(A);
    return lock;
}

void moved_and_held()
{
    std::unique_lock<std::mutex> lock;
    lock = hold_a();
    std::lock_guard<std::mutex> second(B);
}

void moved_and_gone()
{
    {
        std::unique_lock<std::mutex> lock = hold_a();
        std::unique_lock<std::mutex> last = std::move(lock);
    }
    std::lock_guard<std::mutex> second(B);
}

void released_from_guard() // the guard lets go of the mutex without unlocking it
{
    std::mutex *mutex = hold_a().release();
    {
        std::lock_guard<std::mutex> second(B);
    }
    mutex->unlock();
}

void deferred()
{
    std::unique_lock<std::mutex> first(A, std::defer_lock);
    std::lock_guard<std::mutex> second(B); // A is not held yet
}

void adopted()
{
    A.lock();
    std::lock_guard<std::mutex> first(A, std::adopt_lock);
    std::lock_guard<std::mutex> second(B);
}

void both_a_b()
{
    std::scoped_lock both(A, B);
}

void both_b_a()
{
    std::scoped_lock both(B, A);
}

void lock_both_b_a()
{
    std::lock(B, A);
    std::lock_guard<std::mutex> first(B, std::adopt_lock);
    std::lock_guard<std::mutex> second(A, std::adopt_lock);
}

void both_under_c()
{
    std::scoped_lock outer(C);
    std::scoped_lock both(A, B);
}

void c_under_a()
{
    std::scoped_lock outer(A);
    std::scoped_lock inner(C);
}

void c_alone()
{
    std::scoped_lock inner(C);
}

void one_by_one()
{
    std::scoped_lock first(A);
    std::scoped_lock second(B);
}

void read_a_read_b()
{
    std::shared_lock<std::shared_mutex> first(shared_A);
    std::shared_lock<std::shared_mutex> second(shared_B);
}

void read_b_read_a()
{
    std::shared_lock<std::shared_mutex> first(shared_B);
    std::shared_lock<std::shared_mutex> second(shared_A);
}

void read_b_write_a()
{
    std::shared_lock<std::shared_mutex> first(shared_B);
    std::unique_lock<std::shared_mutex> second(shared_A);
}

void read_a_write_b()
{
    std::shared_lock<std::shared_mutex> first(shared_A);
    std::unique_lock<std::shared_mutex> second(shared_B);
}

NOINLINE void throw_under_a()
{
    std::lock_guard<std::mutex> first(A);
    throw std::runtime_error("on purpose");
}

void unwound()
{
    try {
        throw_under_a();
    } catch (const std::runtime_error &) {
        std::lock_guard<std::mutex> second(B); // A was released on the way
    }
}

void caught_inside()
{
    std::lock_guard<std::mutex> first(A);
    try {
        throw std::runtime_error("on purpose");
    } catch (const std::runtime_error &) {
        std::lock_guard<std::mutex> second(B);
    }
}

// ---- run once --------------------------------------------------------------------------------

std::once_flag flag;
bool failed;

void take_a()
{
    std::lock_guard<std::mutex> lock(A);
}

int fail_once(int value) // the first to come leaves the work to the next
{
    if (!failed) {
        failed = true;
        throw std::runtime_error("on purpose");
    }
    return value;
}

void nothing()
{
}

template <act initialise> void once()
{
    try {
        std::call_once(flag, initialise);
    } catch (const std::runtime_error &) {
    }
}

template <act initialise> void once_under_a()
{
    std::lock_guard<std::mutex> lock(A);
    once<initialise>();
}

void take_a_and_fail()
{
    take_a();
    fail_once(0);
}

void just_fail()
{
    fail_once(0);
}

int start_value(bool with_a)
{
    if (with_a)
        take_a();
    return fail_once(1);
}

NOINLINE int static_value(bool with_a)
{
    try {
        static int value = start_value(with_a);
        return value;
    } catch (const std::runtime_error &) {
        return 0;
    }
}

void static_taking_a()
{
    static_value(true);
}

void static_without()
{
    static_value(false);
}

void static_under_a()
{
    std::lock_guard<std::mutex> lock(A);
    static_value(false);
}

void static_completed()
{
    failed = true; // nothing fails here: the initialiser is over when the second thread comes
    two_in_turn(static_taking_a, static_under_a);
}

NOINLINE int another_value()
{
    static int value = start_value(false);
    return value;
}

void another_static_under_a()
{
    std::lock_guard<std::mutex> lock(A);
    another_value();
}

void static_of_another()
{
    failed = true; // nor here: two initialisers, each run by one thread
    two_in_turn(static_taking_a, another_static_under_a);
}

template <act first, act second> void pair()
{
    two_in_turn(first, second);
}

} // namespace

int main(int argc, char **argv)
{
    static const named_case cases[] = {
        {"guard-moved-and-held", pair<moved_and_held, backwards>},
        {"guard-moved-and-gone", pair<moved_and_gone, backwards>},
        {"guard-released", pair<released_from_guard, backwards>},
        {"guard-deferred", pair<deferred, backwards>},
        {"guard-adopted", pair<adopted, backwards>},
        {"scoped-lock-both", pair<both_a_b, both_b_a>},
        {"std-lock-both", pair<both_a_b, lock_both_b_a>},
        {"scoped-lock-one-by-one", pair<one_by_one, backwards>},
        {"scoped-lock-inside", pair<both_under_c, c_under_a>},
        {"scoped-lock-apart", pair<both_under_c, c_alone>},
        {"readers", pair<read_a_read_b, read_b_read_a>},
        {"reader-writer", pair<read_a_write_b, read_b_write_a>},
        {"exception-unwound", pair<unwound, backwards>},
        {"exception-inside", pair<caught_inside, backwards>},
        {"call-once-orders", pair<once<take_a_and_fail>, once_under_a<nothing>>},
        {"call-once-order", pair<once<just_fail>, once_under_a<nothing>>},
        {"call-once-completed", pair<once<take_a>, once_under_a<nothing>>},
        {"static-init-orders", pair<static_taking_a, static_under_a>},
        {"static-init-order", pair<static_without, static_under_a>},
        {"static-init-completed", static_completed},
        {"static-init-of-another", static_of_another},
    };
    return RUN_CASE(cases, argc, argv);
}
