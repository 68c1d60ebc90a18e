/* Parse-only stand-in for <dlfcn.h>. */
#pragma once
#include <stddef.h>
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_DEEPBIND 8
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x1000
#define RTLD_NEXT ((void*)-1l)
#define RTLD_DEFAULT ((void*)0)
#define RTLD_DI_LINKMAP 2
#define RTLD_DI_ORIGIN 6
#define LM_ID_BASE 0
#define LM_ID_NEWLM (-1)
typedef long Lmid_t;
typedef struct { const char* dli_fname; void* dli_fbase; const char* dli_sname; void* dli_saddr; } Dl_info;
__BEGIN_DECLS
void* dlopen(const char*, int); void* dlmopen(Lmid_t, const char*, int); int dlclose(void*); void* dlsym(void* __restrict, const char* __restrict); void* dlvsym(void* __restrict, const char* __restrict, const char* __restrict); char* dlerror(void); int dladdr(const void*, Dl_info*); int dladdr1(const void*, Dl_info*, void**, int); int dlinfo(void* __restrict, int, void* __restrict);
__END_DECLS
