/* Parse-only stand-in for <aio.h>. */
#pragma once
#include <signal.h>
#include <sys/types.h>
struct aiocb { int aio_fildes, aio_lio_opcode, aio_reqprio; volatile void* aio_buf; size_t aio_nbytes; struct sigevent aio_sigevent; off_t aio_offset; };
__BEGIN_DECLS
int aio_read(struct aiocb*); int aio_write(struct aiocb*); int aio_error(const struct aiocb*); ssize_t aio_return(struct aiocb*); int aio_suspend(const struct aiocb* const[], int, const struct timespec*); int aio_cancel(int, struct aiocb*);
__END_DECLS
