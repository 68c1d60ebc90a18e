/* Parse-only: the types of pthread.h. */
#pragma once
typedef unsigned long pthread_t; typedef unsigned int pthread_key_t; typedef int pthread_once_t; typedef volatile int pthread_spinlock_t;
typedef union { long words[5]; int kind; } pthread_mutex_t; typedef union { int word; } pthread_mutexattr_t; typedef union { long long words[6]; } pthread_cond_t; typedef union { int word; } pthread_condattr_t;
typedef union { long words[7]; } pthread_rwlock_t; typedef union { long word; } pthread_rwlockattr_t; typedef union { long words[4]; } pthread_barrier_t; typedef union { int word; } pthread_barrierattr_t; union pthread_attr_t { long words[7]; }; typedef union pthread_attr_t pthread_attr_t;
