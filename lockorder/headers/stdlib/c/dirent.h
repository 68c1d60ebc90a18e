/* Parse-only stand-in for <dirent.h>. */
#pragma once
#include <sys/types.h>
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
#define dirent64 dirent
typedef struct __dirstream DIR;
enum { DT_UNKNOWN = 0, DT_FIFO = 1, DT_CHR = 2, DT_DIR = 4, DT_BLK = 6, DT_REG = 8, DT_LNK = 10, DT_SOCK = 12, DT_WHT = 14 };
#define DT_UNKNOWN DT_UNKNOWN
#define DT_DIR DT_DIR
#define DT_REG DT_REG
#define DT_LNK DT_LNK
__BEGIN_DECLS
DIR* opendir(const char*); DIR* fdopendir(int); int closedir(DIR*); struct dirent* readdir(DIR*); int readdir_r(DIR* __restrict, struct dirent* __restrict, struct dirent** __restrict); void rewinddir(DIR*); void seekdir(DIR*, long); long telldir(DIR*); int dirfd(DIR*); int scandir(const char* __restrict, struct dirent*** __restrict, int (*)(const struct dirent*), int (*)(const struct dirent**, const struct dirent**)); int alphasort(const struct dirent**, const struct dirent**); int versionsort(const struct dirent**, const struct dirent**);
__END_DECLS
