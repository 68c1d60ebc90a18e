/* Parse-only stand-in for <sys/random.h>. */
#pragma once
#include <sys/types.h>
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
__BEGIN_DECLS
ssize_t getrandom(void*, size_t, unsigned int); int getentropy(void*, size_t);
__END_DECLS
