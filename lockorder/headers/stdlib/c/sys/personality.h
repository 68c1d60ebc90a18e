/* Parse-only stand-in for <sys/personality.h>. */
#pragma once
#include <features.h>
enum { ADDR_NO_RANDOMIZE = 0x0040000 };
__BEGIN_DECLS
int personality(unsigned long);
__END_DECLS
