// A depot whose ledger and gate are taken in opposite orders under one lock that keeps them apart.
#include <mutex>

struct Truck {
    virtual ~Truck() = default;
    virtual void unload() = 0;
};

std::mutex yard;
std::mutex gate;
std::mutex ledger;

struct Van : Truck {
    void unload() override { std::lock_guard<std::mutex> hold(ledger); }
};

struct Lorry : Truck {
    void unload() override {}
};

struct Depot {
    void (*horn)(int) = nullptr;

    void arrive(Truck &truck)
    {
        std::lock_guard<std::mutex> one(yard);
        std::lock_guard<std::mutex> two(gate);
        truck.unload();
        horn(1);
    }

    void count(bool loud)
    {
        bool late = false;
        std::lock_guard<std::mutex> one(yard);
        std::lock_guard<std::mutex> two(ledger);
        if (late)
            horn(2);
        if (loud)
            gate.lock();
        if (loud)
            gate.unlock();
    }
};

template <class Job> void with_ledger(Job job)
{
    std::lock_guard<std::mutex> hold(ledger);
    job();
}

bool close(int times)
{
    if (times == 0)
        return gate.try_lock();
    return close(times - 1);
}
