/* Parse-only stand-in for <link.h>. */
#pragma once
#include <elf.h>
#include <dlfcn.h>
#include <sys/types.h>
#define ElfW(t) Elf64_##t
struct link_map { Elf64_Addr l_addr; char* l_name; Elf64_Dyn* l_ld; struct link_map *l_next, *l_prev; };
struct r_debug { int r_version; struct link_map* r_map; Elf64_Addr r_brk; int r_state; Elf64_Addr r_ldbase; };
struct dl_phdr_info { Elf64_Addr dlpi_addr; const char* dlpi_name; const Elf64_Phdr* dlpi_phdr; Elf64_Half dlpi_phnum; unsigned long long dlpi_adds, dlpi_subs; size_t dlpi_tls_modid; void* dlpi_tls_data; };
__BEGIN_DECLS
extern Elf64_Dyn _DYNAMIC[]; extern struct r_debug _r_debug; int dl_iterate_phdr(int (*)(struct dl_phdr_info*, size_t, void*), void*);
__END_DECLS
