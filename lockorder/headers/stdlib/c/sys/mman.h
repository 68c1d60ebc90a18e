/* Parse-only stand-in for <sys/mman.h>. */
#pragma once
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_SHARED_VALIDATE 3
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON 0x20
#define MAP_GROWSDOWN 0x100
#define MAP_LOCKED 0x2000
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_NONBLOCK 0x10000
#define MAP_STACK 0x20000
#define MAP_HUGETLB 0x40000
#define MAP_SYNC 0x80000
#define MAP_FIXED_NOREPLACE 0x100000
#define MAP_HUGE_SHIFT 26
#define MAP_HUGE_2MB (21 << 26)
#define MAP_HUGE_1GB (30 << 26)
#define MAP_FAILED ((void*)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_REMOVE 9
#define MADV_DONTFORK 10
#define MADV_DOFORK 11
#define MADV_MERGEABLE 12
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define MADV_DONTDUMP 16
#define MADV_DODUMP 17
#define MADV_WIPEONFORK 18
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_WILLNEED 3
#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define MFD_CLOEXEC 1U
#define MFD_ALLOW_SEALING 2U
#define MFD_HUGETLB 4U
__BEGIN_DECLS
void* mmap(void*, size_t, int, int, int, off_t); void* mmap64(void*, size_t, int, int, int, off64_t); int munmap(void*, size_t); int mprotect(void*, size_t, int); int msync(void*, size_t, int); int madvise(void*, size_t, int); int posix_madvise(void*, size_t, int); int mlock(const void*, size_t); int mlock2(const void*, size_t, unsigned int); int munlock(const void*, size_t); int mlockall(int); int munlockall(void); int mincore(void*, size_t, unsigned char*); void* mremap(void*, size_t, size_t, int, ...); int shm_open(const char*, int, mode_t); int shm_unlink(const char*); int memfd_create(const char*, unsigned int); int pkey_alloc(unsigned int, unsigned int);
__END_DECLS
