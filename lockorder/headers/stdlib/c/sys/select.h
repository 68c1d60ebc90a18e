/* Parse-only stand-in for <sys/select.h>. */
#pragma once
#include <bits/time_types.h>
#include <bits/sigset.h>
#include <features.h>
typedef long fd_mask;
typedef struct { fd_mask fds_bits[16]; } fd_set;
#define FD_SETSIZE 1024
#define NFDBITS 64
#define FD_ZERO(s) __builtin_memset((s), 0, sizeof(fd_set))
#define FD_SET(d, s) ((void)((s)->fds_bits[(d) / 64] |= 1L << ((d) % 64)))
#define FD_CLR(d, s) ((void)((s)->fds_bits[(d) / 64] &= ~(1L << ((d) % 64))))
#define FD_ISSET(d, s) (((s)->fds_bits[(d) / 64] & (1L << ((d) % 64))) != 0)
__BEGIN_DECLS
int select(int, fd_set* __restrict, fd_set* __restrict, fd_set* __restrict, struct timeval* __restrict); int pselect(int, fd_set* __restrict, fd_set* __restrict, fd_set* __restrict, const struct timespec* __restrict, const sigset_t* __restrict);
__END_DECLS
