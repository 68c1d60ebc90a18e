/* Parse-only stand-in for <sys/msg.h>. */
#pragma once
#include <sys/ipc.h>
__BEGIN_DECLS
int msgget(key_t, int); ssize_t msgrcv(int, void*, size_t, long, int); int msgsnd(int, const void*, size_t, int);
__END_DECLS
