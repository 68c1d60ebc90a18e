/* Parse-only stand-in for <pwd.h>. */
#pragma once
#include <sys/types.h>
struct passwd { char *pw_name, *pw_passwd; uid_t pw_uid; gid_t pw_gid; char *pw_gecos, *pw_dir, *pw_shell; };
__BEGIN_DECLS
struct passwd* getpwuid(uid_t); struct passwd* getpwnam(const char*); int getpwuid_r(uid_t, struct passwd*, char*, size_t, struct passwd**); int getpwnam_r(const char*, struct passwd*, char*, size_t, struct passwd**); void setpwent(void); void endpwent(void); struct passwd* getpwent(void);
__END_DECLS
