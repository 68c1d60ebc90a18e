/* Parse-only stand-in for <sys/sendfile.h>. */
#pragma once
#include <sys/types.h>
__BEGIN_DECLS
ssize_t sendfile(int, int, off_t*, size_t); ssize_t sendfile64(int, int, off64_t*, size_t);
__END_DECLS
