/* Parse-only stand-in for <sys/eventfd.h>. */
#pragma once
#include <stdint.h>
typedef uint64_t eventfd_t;
enum { EFD_SEMAPHORE = 1, EFD_CLOEXEC = 02000000, EFD_NONBLOCK = 04000 };
#define EFD_SEMAPHORE EFD_SEMAPHORE
#define EFD_CLOEXEC EFD_CLOEXEC
#define EFD_NONBLOCK EFD_NONBLOCK
__BEGIN_DECLS
int eventfd(unsigned int, int); int eventfd_read(int, eventfd_t*); int eventfd_write(int, eventfd_t);
__END_DECLS
