/* Parse-only stand-in for <grp.h>. */
#pragma once
#include <sys/types.h>
struct group { char *gr_name, *gr_passwd; gid_t gr_gid; char** gr_mem; };
__BEGIN_DECLS
struct group* getgrgid(gid_t); struct group* getgrnam(const char*); int getgrgid_r(gid_t, struct group*, char*, size_t, struct group**); int getgrnam_r(const char*, struct group*, char*, size_t, struct group**); void setgrent(void); void endgrent(void); struct group* getgrent(void); int getgrouplist(const char*, gid_t, gid_t*, int*); int setgroups(size_t, const gid_t*); int initgroups(const char*, gid_t);
__END_DECLS
