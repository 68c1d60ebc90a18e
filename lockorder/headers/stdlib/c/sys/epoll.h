/* Parse-only stand-in for <sys/epoll.h>. */
#pragma once
#include <sys/types.h>
#include <bits/sigset.h>
enum { EPOLL_CLOEXEC = 02000000 };
enum EPOLL_EVENTS { EPOLLIN = 1, EPOLLPRI = 2, EPOLLOUT = 4, EPOLLERR = 8, EPOLLHUP = 16, EPOLLRDNORM = 0x40, EPOLLRDBAND = 0x80, EPOLLWRNORM = 0x100, EPOLLWRBAND = 0x200, EPOLLMSG = 0x400, EPOLLRDHUP = 0x2000, EPOLLEXCLUSIVE = 1 << 28, EPOLLWAKEUP = 1 << 29, EPOLLONESHOT = 1 << 30, EPOLLET = 1u << 31 };
#define EPOLLIN EPOLLIN
#define EPOLLRDHUP EPOLLRDHUP
#define EPOLLEXCLUSIVE EPOLLEXCLUSIVE
#define EPOLL_CLOEXEC EPOLL_CLOEXEC
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
typedef union epoll_data { void* ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
struct epoll_event { uint32_t events; epoll_data_t data; } __attribute__((__packed__));
__BEGIN_DECLS
int epoll_create(int); int epoll_create1(int); int epoll_ctl(int, int, int, struct epoll_event*); int epoll_wait(int, struct epoll_event*, int, int); int epoll_pwait(int, struct epoll_event*, int, int, const sigset_t*); int epoll_pwait2(int, struct epoll_event*, int, const struct timespec*, const sigset_t*);
__END_DECLS
