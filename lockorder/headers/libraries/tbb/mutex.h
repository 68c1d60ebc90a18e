// Parse-only stand-in for TBB's mutexes (minimal).
#pragma once
namespace tbb {
#define LOSTUB_TBB(n) class n { public: n() {} ~n() {} n(const n&) = delete; void lock(); bool try_lock(); void unlock(); class scoped_lock { public: scoped_lock(); explicit scoped_lock(n& m); scoped_lock(n& m, bool write); ~scoped_lock(); void acquire(n& m); void acquire(n& m, bool write); bool try_acquire(n& m); bool try_acquire(n& m, bool write); void release(); bool upgrade_to_writer(); bool downgrade_to_reader(); }; };
LOSTUB_TBB(mutex) LOSTUB_TBB(recursive_mutex) LOSTUB_TBB(spin_mutex) LOSTUB_TBB(queuing_mutex) LOSTUB_TBB(speculative_spin_mutex) LOSTUB_TBB(spin_rw_mutex) LOSTUB_TBB(queuing_rw_mutex) LOSTUB_TBB(rw_mutex) LOSTUB_TBB(null_mutex) LOSTUB_TBB(null_rw_mutex)
#undef LOSTUB_TBB
}
namespace oneapi { namespace tbb = ::tbb; }
