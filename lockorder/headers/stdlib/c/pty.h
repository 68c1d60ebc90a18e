/* Parse-only stand-in for <pty.h>. */
#pragma once
#include <termios.h>
__BEGIN_DECLS
int openpty(int*, int*, char*, const struct termios*, const struct winsize*); pid_t forkpty(int*, char*, const struct termios*, const struct winsize*);
__END_DECLS
