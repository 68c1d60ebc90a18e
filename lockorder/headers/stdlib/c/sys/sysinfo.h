/* Parse-only stand-in for <sys/sysinfo.h>. */
#pragma once
#include <features.h>
struct sysinfo { long uptime; unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap; unsigned short procs, pad; unsigned long totalhigh, freehigh; unsigned int mem_unit; };
__BEGIN_DECLS
int sysinfo(struct sysinfo*); int get_nprocs(void); int get_nprocs_conf(void); long get_phys_pages(void); long get_avphys_pages(void);
__END_DECLS
