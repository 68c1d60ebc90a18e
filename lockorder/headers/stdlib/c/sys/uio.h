/* Parse-only stand-in for <sys/uio.h>. */
#pragma once
#include <sys/types.h>
struct iovec { void* iov_base; size_t iov_len; };
#define UIO_MAXIOV 1024
__BEGIN_DECLS
ssize_t readv(int, const struct iovec*, int); ssize_t writev(int, const struct iovec*, int); ssize_t preadv(int, const struct iovec*, int, off_t); ssize_t pwritev(int, const struct iovec*, int, off_t); ssize_t process_vm_readv(pid_t, const struct iovec*, unsigned long, const struct iovec*, unsigned long, unsigned long); ssize_t process_vm_writev(pid_t, const struct iovec*, unsigned long, const struct iovec*, unsigned long, unsigned long);
__END_DECLS
