/* Parse-only stand-in for <sys/utsname.h>. */
#pragma once
#include <features.h>
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65]; };
__BEGIN_DECLS
int uname(struct utsname*);
__END_DECLS
