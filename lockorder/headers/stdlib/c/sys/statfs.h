/* Parse-only stand-in for <sys/statfs.h>. */
#pragma once
#include <sys/types.h>
typedef struct { int val[2]; } fsid_t;
struct statfs { long f_type, f_bsize; fsblkcnt_t f_blocks, f_bfree, f_bavail; fsfilcnt_t f_files, f_ffree; fsid_t f_fsid; long f_namelen, f_frsize, f_flags; };
__BEGIN_DECLS
int statfs(const char*, struct statfs*); int fstatfs(int, struct statfs*);
__END_DECLS
