/* Parse-only stand-in for <setjmp.h>. */
#pragma once
#include <signal.h>
typedef struct __jmp_buf_tag { long regs[8]; int saved; sigset_t mask; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
__BEGIN_DECLS
int setjmp(jmp_buf); int _setjmp(jmp_buf); int sigsetjmp(sigjmp_buf, int); void longjmp(jmp_buf, int) __attribute__((__noreturn__)); void _longjmp(jmp_buf, int) __attribute__((__noreturn__)); void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));
__END_DECLS
#define setjmp(e) setjmp(e)
