/* Parse-only stand-in for <sys/signalfd.h>. */
#pragma once
#include <stdint.h>
#include <bits/sigset.h>
#include <features.h>
enum { SFD_CLOEXEC = 02000000, SFD_NONBLOCK = 04000 };
struct signalfd_siginfo { uint32_t ssi_signo; int32_t ssi_errno, ssi_code; uint32_t ssi_pid, ssi_uid; int32_t ssi_fd; uint32_t ssi_tid, ssi_band, ssi_overrun, ssi_trapno; int32_t ssi_status, ssi_int; uint64_t ssi_ptr, ssi_utime, ssi_stime, ssi_addr; uint8_t pad[48]; };
__BEGIN_DECLS
int signalfd(int, const sigset_t*, int);
__END_DECLS
