/* Parse-only stand-in for <ftw.h>. */
#pragma once
#include <sys/types.h>
#include <sys/stat.h>
enum { FTW_F, FTW_D, FTW_DNR, FTW_NS, FTW_SL, FTW_DP, FTW_SLN }; enum { FTW_PHYS = 1, FTW_MOUNT = 2, FTW_CHDIR = 4, FTW_DEPTH = 8, FTW_ACTIONRETVAL = 16 };
struct FTW { int base, level; };
typedef int (*__ftw_func_t)(const char*, const struct stat*, int); typedef int (*__nftw_func_t)(const char*, const struct stat*, int, struct FTW*);
__BEGIN_DECLS
int ftw(const char*, __ftw_func_t, int); int nftw(const char*, __nftw_func_t, int, int);
__END_DECLS
