/* Parse-only stand-in for <ucontext.h>. */
#pragma once
#include <sys/ucontext.h>
__BEGIN_DECLS
int getcontext(ucontext_t*); int setcontext(const ucontext_t*); int swapcontext(ucontext_t*, const ucontext_t*); void makecontext(ucontext_t*, void (*)(void), int, ...);
__END_DECLS
