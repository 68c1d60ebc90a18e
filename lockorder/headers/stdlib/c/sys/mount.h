/* Parse-only stand-in for <sys/mount.h>. */
#pragma once
#include <sys/ioctl.h>
#define MS_RDONLY 1
#define MS_BIND 4096
#define MNT_DETACH 2
__BEGIN_DECLS
int mount(const char*, const char*, const char*, unsigned long, const void*); int umount(const char*); int umount2(const char*, int);
__END_DECLS
