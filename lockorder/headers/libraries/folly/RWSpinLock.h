// Parse-only stand-in for Folly: folly/RWSpinLock.h.
#pragma once
#include <mutex>
namespace folly {
class RWSpinLock { public: constexpr RWSpinLock() {} void lock(); bool try_lock(); void unlock(); void lock_shared(); bool try_lock_shared(); void unlock_shared(); void unlock_and_lock_shared(); void lock_upgrade(); bool try_lock_upgrade(); void unlock_upgrade(); void unlock_upgrade_and_lock();
  class ReadHolder { public: explicit ReadHolder(RWSpinLock* l); explicit ReadHolder(RWSpinLock& l); ~ReadHolder(); void reset(RWSpinLock* l = nullptr); }; class WriteHolder { public: explicit WriteHolder(RWSpinLock* l); explicit WriteHolder(RWSpinLock& l); ~WriteHolder(); void reset(RWSpinLock* l = nullptr); }; class UpgradedHolder { public: explicit UpgradedHolder(RWSpinLock* l); explicit UpgradedHolder(RWSpinLock& l); ~UpgradedHolder(); }; };
template <size_t N> class RWTicketSpinLockT : public RWSpinLock {}; typedef RWTicketSpinLockT<32> RWTicketSpinLock32; typedef RWTicketSpinLockT<64> RWTicketSpinLock64;
}
