#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
#include <pthread.h>
#include <semaphore.h>
#include <sys/file.h>
#include <threads.h>
namespace w_lock_guard { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_lock { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::unique_lock<std::mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_deferred { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::unique_lock<std::mutex> own(mu, std::defer_lock); own.lock(); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_moved { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::unique_lock<std::mutex> one(mu); auto own = std::move(one); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_returned { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu; std::unique_lock<std::mutex> take() { return std::unique_lock<std::mutex>(mu); }
    int n = 0;
    void f() { auto own = take(); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_optional { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::optional<std::unique_lock<std::mutex>> own; own.emplace(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_guard_optional { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::optional<std::lock_guard<std::mutex>> own(std::in_place, mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_ptr_guard { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { auto own = std::make_unique<std::lock_guard<std::mutex>>(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_scoped { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::scoped_lock own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_scoped_two { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu, mu2;
    int n = 0;
    void f() { std::scoped_lock own(mu, mu2); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_plain { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { mu.lock(); b.g(); mu.unlock(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_std_lock { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu, mu2;
    int n = 0;
    void f() { std::lock(mu, mu2); b.g(); mu.unlock(); mu2.unlock(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_try_if { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { if (mu.try_lock()) { b.g(); mu.unlock(); } }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_try_unique { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { std::unique_lock<std::mutex> own(mu, std::try_to_lock); if (own) b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_try_not { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { if (!mu.try_lock()) return; b.g(); mu.unlock(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_shared_write { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::shared_mutex mu;
    int n = 0;
    void f() { std::unique_lock<std::shared_mutex> own(mu); b.g(); }
    void k() { std::shared_lock<std::shared_mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_shared_read { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::shared_mutex mu;
    int n = 0;
    void f() { std::shared_lock<std::shared_mutex> own(mu); b.g(); }
    void k() { std::unique_lock<std::shared_mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_recursive { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::recursive_mutex mu;
    int n = 0;
    void f() { std::lock_guard<std::recursive_mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::recursive_mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_timed { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::timed_mutex mu;
    int n = 0;
    void f() { std::lock_guard<std::timed_mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::timed_mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_pthread { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
    int n = 0;
    void f() { pthread_mutex_lock(&mu); b.g(); pthread_mutex_unlock(&mu); }
    void k() { pthread_mutex_lock(&mu); ++n; pthread_mutex_unlock(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_pthread_checked { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
    int n = 0;
    void f() { if (pthread_mutex_lock(&mu) != 0) return; b.g(); pthread_mutex_unlock(&mu); }
    void k() { pthread_mutex_lock(&mu); ++n; pthread_mutex_unlock(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_rwlock { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    pthread_rwlock_t mu = PTHREAD_RWLOCK_INITIALIZER;
    int n = 0;
    void f() { pthread_rwlock_wrlock(&mu); b.g(); pthread_rwlock_unlock(&mu); }
    void k() { pthread_rwlock_rdlock(&mu); ++n; pthread_rwlock_unlock(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_pspin { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    pthread_spinlock_t mu;
    int n = 0;
    void f() { pthread_spin_lock(&mu); b.g(); pthread_spin_unlock(&mu); }
    void k() { pthread_spin_lock(&mu); ++n; pthread_spin_unlock(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_flag_spin { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::atomic_flag mu = ATOMIC_FLAG_INIT;
    int n = 0;
    void f() { while (mu.test_and_set()) {} b.g(); mu.clear(); }
    void k() { while (mu.test_and_set()) {} ++n; mu.clear(); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_cas_spin { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::atomic<int> mu{0};
    int n = 0;
    void f() { int z = 0; while (!mu.compare_exchange_strong(z, 1)) z = 0; b.g(); mu.store(0); }
    void k() { int z = 0; while (!mu.compare_exchange_strong(z, 1)) z = 0; ++n; mu.store(0); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_exchange_spin { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::atomic<bool> mu{false};
    int n = 0;
    void f() { while (mu.exchange(true, std::memory_order_acquire)) std::this_thread::yield(); b.g(); mu.store(false, std::memory_order_release); }
    void k() { while (mu.exchange(true)) std::this_thread::yield(); ++n; mu.store(false); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_spin_class { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Spin { std::atomic_flag f = ATOMIC_FLAG_INIT; void lock() { while (f.test_and_set(std::memory_order_acquire)) {} } void unlock() { f.clear(std::memory_order_release); } }; 
struct A {
    Spin mu;
    int n = 0;
    void f() { std::lock_guard<Spin> own(mu); b.g(); }
    void k() { std::lock_guard<Spin> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_spin_class_plain { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Spin { std::atomic_flag f = ATOMIC_FLAG_INIT; void lock() { while (f.test_and_set(std::memory_order_acquire)) {} } void unlock() { f.clear(std::memory_order_release); } }; 
struct A {
    Spin mu;
    int n = 0;
    void f() { mu.lock(); b.g(); mu.unlock(); }
    void k() { mu.lock(); ++n; mu.unlock(); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_wrapper { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 class Mx { std::mutex m; public: void acquire() { m.lock(); } void release() { m.unlock(); } }; 
struct A {
    Mx mu;
    int n = 0;
    void f() { mu.acquire(); b.g(); mu.release(); }
    void k() { mu.acquire(); ++n; mu.release(); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_own_guard { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Hold { std::mutex &m; explicit Hold(std::mutex &x) : m(x) { m.lock(); } ~Hold() { m.unlock(); } }; 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { Hold own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_own_guard_ptr { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Hold { std::mutex *m; explicit Hold(std::mutex *x) : m(x) { m->lock(); } ~Hold() { if (m) m->unlock(); } }; 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { Hold own(&mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_own_guard_template { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 template <class M> struct Hold { M &m; explicit Hold(M &x) : m(x) { m.lock(); } ~Hold() { m.unlock(); } }; 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { Hold<std::mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_own_guard_inherit { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Hold : std::lock_guard<std::mutex> { explicit Hold(std::mutex &m) : std::lock_guard<std::mutex>(m) {} }; 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { Hold own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_guard_member { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Sess { std::lock_guard<std::mutex> g; explicit Sess(std::mutex &m) : g(m) {} }; 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { Sess own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_guard_alias { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 using Guard = std::lock_guard<std::mutex>; 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { Guard own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_macro { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 #define WITH(m) std::lock_guard<std::mutex> guard_(m)
 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { WITH(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_helper_pair { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu; void begin() { mu.lock(); } void end() { mu.unlock(); }
    int n = 0;
    void f() { begin(); b.g(); end(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_helper_ref { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 static void lock_it(std::mutex &m) { m.lock(); } 
struct A {
    std::mutex mu;
    int n = 0;
    void f() { lock_it(mu); b.g(); mu.unlock(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_ptr_mutex { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu; std::mutex *mp = &mu;
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(*mp); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_shared_mutex_ptr { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::shared_ptr<std::mutex> mu = std::make_shared<std::mutex>();
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(*mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(*mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_unique_mutex_ptr { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::unique_ptr<std::mutex> mu = std::make_unique<std::mutex>();
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(*mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(*mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_array_mutex { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu[4];
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mu[2]); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu[2]); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_vector_mutex { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 extern int i; 
struct A {
    std::vector<std::mutex> mu{4};
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mu[i]); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu[i]); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_map_mutex { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::map<int, std::mutex> mu;
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mu[1]); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu[1]); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_getter_mutex { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu; std::mutex &mutex() { return mu; }
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mutex()); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_static_local { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 static std::mutex &sm() { static std::mutex m; return m; } 
struct A {
    
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(sm()); b.g(); }
    void k() { std::lock_guard<std::mutex> l(sm()); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_leaky_static { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 static std::mutex &sm() { static auto *m = new std::mutex; return *m; } 
struct A {
    
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(sm()); b.g(); }
    void k() { std::lock_guard<std::mutex> l(sm()); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_inherited { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct Lk : std::mutex {}; 
struct A {
    Lk mu; void x() {}
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(*this); b.g(); }
    void k() { std::lock_guard<Lk> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_struct_member { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct S { std::mutex mu; }; 
struct A {
    S s;
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(s.mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(s.mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_semaphore { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::binary_semaphore mu{1};
    int n = 0;
    void f() { mu.acquire(); b.g(); mu.release(); }
    void k() { mu.acquire(); ++n; mu.release(); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_sem_t { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    sem_t mu; A() { sem_init(&mu, 0, 1); }
    int n = 0;
    void f() { sem_wait(&mu); b.g(); sem_post(&mu); }
    void k() { sem_wait(&mu); ++n; sem_post(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_cond_wait { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu; std::condition_variable cv;
    int n = 0;
    void f() { std::unique_lock<std::mutex> l2(b.mu); cv.wait(l2, [this] { return n > 0; });  }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_static_member { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    static inline std::mutex mu;
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_mutable_const { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    mutable std::mutex mu;
    int n = 0;
    void f() { std::lock_guard<std::mutex> own(mu); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_lock_adopt { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { mu.lock(); std::lock_guard<std::mutex> own(mu, std::adopt_lock); b.g(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_try_for { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::timed_mutex mu;
    int n = 0;
    void f() { if (mu.try_lock_for(std::chrono::seconds(1))) { b.g(); mu.unlock(); } }
    void k() { std::lock_guard<std::timed_mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_lambda_locked { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu; template <class F> void locked(F f) { std::lock_guard<std::mutex> own(mu); f(); }
    int n = 0;
    void f() { locked([] { b.g(); }); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_proxy { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
 struct X { void go() { b.g(); } }; 
struct A {
    std::mutex mu; X x; struct P { std::unique_lock<std::mutex> l; X *p; X *operator->() { return p; } }; P acc() { return P{std::unique_lock<std::mutex>(mu), &x}; }
    int n = 0;
    void f() { acc()->go(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_flock { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    int fd = 3;
    int n = 0;
    void f() { flock(fd, LOCK_EX); b.g(); flock(fd, LOCK_UN); }
    void k() { flock(fd, LOCK_EX); ++n; flock(fd, LOCK_UN); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_goto_unlock { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::mutex mu;
    int n = 0;
    void f() { mu.lock(); if (n) goto out; b.g(); out: mu.unlock(); }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_ticket { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    std::atomic<unsigned> next{0}, now{0};
    int n = 0;
    void f() { unsigned t = next.fetch_add(1); while (now.load() != t) {} b.g(); now.fetch_add(1); }
    void k() { unsigned t = next.fetch_add(1); while (now.load() != t) {} ++n; now.fetch_add(1); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_builtin_spin { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    int mu = 0;
    int n = 0;
    void f() { while (__sync_lock_test_and_set(&mu, 1)) {} b.g(); __sync_lock_release(&mu); }
    void k() { while (__sync_lock_test_and_set(&mu, 1)) {} ++n; __sync_lock_release(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }
namespace w_c11 { 
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
};
static B b;
  
struct A {
    mtx_t mu;
    int n = 0;
    void f() { mtx_lock(&mu); b.g(); mtx_unlock(&mu); }
    void k() { mtx_lock(&mu); ++n; mtx_unlock(&mu); }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
 }