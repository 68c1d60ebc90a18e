/* Parse-only stand-in for <sys/auxv.h>. */
#pragma once
#include <elf.h>
#include <features.h>
#define HWCAP_ASIMD 2
#define HWCAP_CRC32 128
#define HWCAP_ATOMICS 256
#define HWCAP_SVE (1 << 22)
__BEGIN_DECLS
unsigned long getauxval(unsigned long);
__END_DECLS
