/* Parse-only stand-in for <mqueue.h>. */
#pragma once
#include <sys/types.h>
#include <fcntl.h>
typedef int mqd_t;
struct mq_attr { long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs; };
__BEGIN_DECLS
mqd_t mq_open(const char*, int, ...); int mq_close(mqd_t); int mq_unlink(const char*); int mq_send(mqd_t, const char*, size_t, unsigned int); ssize_t mq_receive(mqd_t, char*, size_t, unsigned int*); int mq_getattr(mqd_t, struct mq_attr*);
__END_DECLS
