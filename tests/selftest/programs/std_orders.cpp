// std_orders KIND SCRIPT: lives through a script (script.h) with the standard library's mutexes.
//
// None of them makes a call when it is made or destroyed.
#include "script.h"

#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <type_traits>

namespace
{

template <class M, class = void> struct has_shared : std::false_type {
};
template <class M>
struct has_shared<M, std::void_t<decltype(std::declval<M &>().lock_shared())>> : std::true_type {
};
template <class M, class = void> struct has_limit : std::false_type {
};
template <class M>
struct has_limit<M,
                 std::void_t<decltype(std::declval<M &>().try_lock_for(std::chrono::seconds(1)))>>
    : std::true_type {
};

template <class M> inline __attribute__((always_inline)) int on(M &mutex, char what)
{
    switch (what) {
    case '+':
    case 'e':
        mutex.lock();
        return 0;
    case '?':
    case '!':
        return mutex.try_lock() ? 0 : EBUSY;
    case '-':
        mutex.unlock();
        return 0;
    }
    if constexpr (has_shared<M>::value) {
        switch (what) {
        case 'r':
        case 'E':
            mutex.lock_shared();
            return 0;
        case 'u':
            return mutex.try_lock_shared() ? 0 : EBUSY;
        case 's':
            mutex.unlock_shared();
            return 0;
        }
    }
    if constexpr (has_limit<M>::value) {
        using clock = std::chrono::system_clock;
        switch (what) {
        case 't':
            return mutex.try_lock_until(clock::now() + std::chrono::hours(1)) ? 0 : ETIMEDOUT;
        case 'T':
            return mutex.try_lock_until(clock::time_point()) ? 0 : ETIMEDOUT;
        case 'c':
            return mutex.try_lock_for(std::chrono::hours(1)) ? 0 : ETIMEDOUT;
        case 'C':
            return mutex.try_lock_for(std::chrono::nanoseconds(0)) ? 0 : ETIMEDOUT;
        }
    }
    return EINVAL;
}

template <class M> M lock_A;
template <class M> M lock_B;
template <class M> M lock_C;
template <class M> M lock_D;
template <class M> M lock_E;
template <class M> M lock_F;

template <class M> NOINLINE int with_A(char what)
{
    return on(lock_A<M>, what);
}
template <class M> NOINLINE int with_B(char what)
{
    return on(lock_B<M>, what);
}
template <class M> NOINLINE int with_C(char what)
{
    return on(lock_C<M>, what);
}
template <class M> NOINLINE int with_D(char what)
{
    return on(lock_D<M>, what);
}
template <class M> NOINLINE int with_E(char what)
{
    return on(lock_E<M>, what);
}
template <class M> NOINLINE int with_F(char what)
{
    return on(lock_F<M>, what);
}

template <class M> int with(char what, char lock)
{
    static constexpr int (*functions[])(char) = {with_A<M>, with_B<M>, with_C<M>,
                                                 with_D<M>, with_E<M>, with_F<M>};
    return functions[lock - 'A'](what);
}

const struct {
    const char *name;
    int (*with)(char what, char lock);
} kinds[] = {
    {"std::mutex", with<std::mutex>},
    {"std::recursive_mutex", with<std::recursive_mutex>},
    {"std::timed_mutex", with<std::timed_mutex>},
    {"std::recursive_timed_mutex", with<std::recursive_timed_mutex>},
    {"std::shared_mutex", with<std::shared_mutex>},
    {"std::shared_timed_mutex", with<std::shared_timed_mutex>},
};

int (*chosen)(char what, char lock);

} // namespace

static int operate(char what, char lock)
{
    // A reader has a way out of its own, which the script does not tell apart.
    thread_local bool reads[6];
    bool &read = reads[lock - 'A'];
    if (what == '-' && read)
        what = 's';
    try {
        int result = chosen(what, lock);
        read = (what == 'r' || what == 'u') && result == 0;
        return result;
    } catch (const std::system_error &error) {
        return error.code().value();
    }
}

int main(int argc, char **argv)
{
    for (const auto &kind : kinds) {
        if (argc == 3 && strcmp(kind.name, argv[1]) == 0)
            chosen = kind.with;
    }
    if (!chosen) {
        fprintf(stderr, "usage: std_orders KIND SCRIPT\n");
        return 2;
    }
    script_run(argv[2]);
    puts("done");
    return 0;
}
