/* Parse-only stand-in for <stdatomic.h>. */
#pragma once
#ifdef __cplusplus
#include <atomic>
using std::atomic_int; using std::atomic_uint; using std::atomic_bool; using std::atomic_long; using std::atomic_ulong; using std::atomic_flag; using std::memory_order;
using std::memory_order_relaxed; using std::memory_order_consume; using std::memory_order_acquire; using std::memory_order_release; using std::memory_order_acq_rel; using std::memory_order_seq_cst;
#else
#include <stddef.h>
#include <stdint.h>
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
typedef _Atomic(_Bool) atomic_bool; typedef _Atomic(char) atomic_char; typedef _Atomic(signed char) atomic_schar; typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short; typedef _Atomic(unsigned short) atomic_ushort; typedef _Atomic(int) atomic_int; typedef _Atomic(unsigned) atomic_uint;
typedef _Atomic(long) atomic_long; typedef _Atomic(unsigned long) atomic_ulong; typedef _Atomic(long long) atomic_llong; typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(intptr_t) atomic_intptr_t; typedef _Atomic(uintptr_t) atomic_uintptr_t; typedef _Atomic(size_t) atomic_size_t; typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(uint_least32_t) atomic_uint_least32_t; typedef _Atomic(uint_least64_t) atomic_uint_least64_t; typedef _Atomic(uint_fast32_t) atomic_uint_fast32_t; typedef _Atomic(uint_fast64_t) atomic_uint_fast64_t;
typedef struct { atomic_bool v; } atomic_flag;
#define ATOMIC_FLAG_INIT {0}
#define ATOMIC_VAR_INIT(v) (v)
#define atomic_init(p, v) __c11_atomic_init(p, v)
#define atomic_thread_fence(o) __c11_atomic_thread_fence(o)
#define atomic_signal_fence(o) __c11_atomic_signal_fence(o)
#define atomic_is_lock_free(p) 1
#define atomic_load_explicit(p, o) __c11_atomic_load(p, o)
#define atomic_load(p) __c11_atomic_load(p, 5)
#define atomic_store_explicit(p, v, o) __c11_atomic_store(p, v, o)
#define atomic_store(p, v) __c11_atomic_store(p, v, 5)
#define atomic_exchange_explicit(p, v, o) __c11_atomic_exchange(p, v, o)
#define atomic_exchange(p, v) __c11_atomic_exchange(p, v, 5)
#define atomic_compare_exchange_strong_explicit(p, e, d, s, f) __c11_atomic_compare_exchange_strong(p, e, d, s, f)
#define atomic_compare_exchange_strong(p, e, d) __c11_atomic_compare_exchange_strong(p, e, d, 5, 5)
#define atomic_compare_exchange_weak_explicit(p, e, d, s, f) __c11_atomic_compare_exchange_weak(p, e, d, s, f)
#define atomic_compare_exchange_weak(p, e, d) __c11_atomic_compare_exchange_weak(p, e, d, 5, 5)
#define atomic_fetch_add_explicit(p, v, o) __c11_atomic_fetch_add(p, v, o)
#define atomic_fetch_add(p, v) __c11_atomic_fetch_add(p, v, 5)
#define atomic_fetch_sub_explicit(p, v, o) __c11_atomic_fetch_sub(p, v, o)
#define atomic_fetch_sub(p, v) __c11_atomic_fetch_sub(p, v, 5)
#define atomic_fetch_or_explicit(p, v, o) __c11_atomic_fetch_or(p, v, o)
#define atomic_fetch_or(p, v) __c11_atomic_fetch_or(p, v, 5)
#define atomic_fetch_and_explicit(p, v, o) __c11_atomic_fetch_and(p, v, o)
#define atomic_fetch_and(p, v) __c11_atomic_fetch_and(p, v, 5)
#define atomic_fetch_xor_explicit(p, v, o) __c11_atomic_fetch_xor(p, v, o)
#define atomic_fetch_xor(p, v) __c11_atomic_fetch_xor(p, v, 5)
_Bool atomic_flag_test_and_set(volatile atomic_flag*);
_Bool atomic_flag_test_and_set_explicit(volatile atomic_flag*, memory_order);
void atomic_flag_clear(volatile atomic_flag*);
void atomic_flag_clear_explicit(volatile atomic_flag*, memory_order);
#endif
