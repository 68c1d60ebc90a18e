/* Parse-only stand-in for <poll.h>. */
#pragma once
#include <time.h>
#include <bits/sigset.h>
struct pollfd { int fd; short events, revents; };
typedef unsigned long nfds_t;
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
#define POLLRDNORM 0x40
#define POLLRDBAND 0x80
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLMSG 0x400
#define POLLRDHUP 0x2000
__BEGIN_DECLS
int poll(struct pollfd*, nfds_t, int); int ppoll(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*);
__END_DECLS
