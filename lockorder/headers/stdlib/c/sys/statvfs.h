/* Parse-only stand-in for <sys/statvfs.h>. */
#pragma once
#include <sys/types.h>
struct statvfs { unsigned long f_bsize, f_frsize; fsblkcnt_t f_blocks, f_bfree, f_bavail; fsfilcnt_t f_files, f_ffree, f_favail; unsigned long f_fsid, f_flag, f_namemax; };
#define statvfs64 statvfs
#define ST_RDONLY 1
__BEGIN_DECLS
int statvfs(const char* __restrict, struct statvfs* __restrict); int fstatvfs(int, struct statvfs*);
__END_DECLS
