/* dlopen, dlmopen and dlsym as jumps, not calls.
 *
 * glibc tells by the return address who is asking: for the caller's RUNPATH, for the namespace
 * it lives in, and for what RTLD_NEXT means. A wrapper that called the real function would be
 * asking itself. So these look for what was loaded since the last time, put everything back as
 * they found it, and jump. dlsym is answered here only where the real answer is a function that
 * the shim stands in for, and the handle says where to look.
 */
#include "locks.h"

#include <dlfcn.h>
#include <errno.h>

__attribute__((visibility("hidden"))) void *lo_dlopen_enter(void);
__attribute__((visibility("hidden"))) void *lo_dlmopen_enter(void);
__attribute__((visibility("hidden"))) void *lo_dlsym_enter(void *handle, const char *name);
__attribute__((visibility("hidden"))) void *lo_dlsym_real(void);

__attribute__((used)) void *lo_dlopen_enter(void)
{
    lo_objects_changed();
    lo_loader_is_free();
    return lo_real(LO_HOOK_dlopen);
}

__attribute__((used)) void *lo_dlmopen_enter(void)
{
    lo_objects_changed();
    lo_loader_is_free();
    return lo_real(LO_HOOK_dlmopen);
}

__attribute__((used)) void *lo_dlsym_real(void)
{
    return lo_real(LO_HOOK_dlsym);
}

/* The wrapper to answer with, or NULL: ask the real function. */
__attribute__((used)) void *lo_dlsym_enter(void *handle, const char *name)
{
    lo_objects_changed();
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || lo_trace == NULL)
        return NULL;
    if (!lo_is_import(name))
        return NULL;
    void *(*real)(void *, const char *) = (void *(*)(void *, const char *))lo_dlsym_real();
    void *found = real(handle, name);
    void *answer = lo_import_wrapper(name, found);
    if (found == NULL || answer == found) {
        (void)dlerror();
        return NULL; /* asked once more, so that dlerror() says what it should */
    }
    return answer;
}

#if defined(__x86_64__)
#define JUMP(name, enter)                                                                          \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                    \
            "  .cfi_startproc\n"                                                                   \
            "  push %rdi\n  .cfi_adjust_cfa_offset 8\n"                                            \
            "  push %rsi\n  .cfi_adjust_cfa_offset 8\n"                                            \
            "  push %rdx\n  .cfi_adjust_cfa_offset 8\n"                                            \
            "  call " #enter "\n"                                                                  \
            "  pop %rdx\n  .cfi_adjust_cfa_offset -8\n"                                            \
            "  pop %rsi\n  .cfi_adjust_cfa_offset -8\n"                                            \
            "  pop %rdi\n  .cfi_adjust_cfa_offset -8\n"                                            \
            "  jmp *%rax\n"                                                                        \
            "  .cfi_endproc\n.size " #name ", . - " #name "\n")
__asm__(".text\n.globl dlsym\n.type dlsym, @function\ndlsym:\n"
        "  .cfi_startproc\n"
        "  push %rdi\n  .cfi_adjust_cfa_offset 8\n"
        "  push %rsi\n  .cfi_adjust_cfa_offset 8\n"
        "  sub $8, %rsp\n  .cfi_adjust_cfa_offset 8\n"
        "  call lo_dlsym_enter\n"
        "  test %rax, %rax\n"
        "  jne 1f\n"
        "  call lo_dlsym_real\n"
        "  add $8, %rsp\n  .cfi_adjust_cfa_offset -8\n"
        "  pop %rsi\n  .cfi_adjust_cfa_offset -8\n"
        "  pop %rdi\n  .cfi_adjust_cfa_offset -8\n"
        "  jmp *%rax\n"
        "1:\n  .cfi_adjust_cfa_offset 24\n"
        "  add $24, %rsp\n  .cfi_adjust_cfa_offset -24\n"
        "  ret\n"
        "  .cfi_endproc\n.size dlsym, . - dlsym\n");
#elif defined(__aarch64__)
#define JUMP(name, enter)                                                                          \
    __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n"                    \
            "  .cfi_startproc\n"                                                                   \
            "  stp x29, x30, [sp, #-48]!\n  .cfi_adjust_cfa_offset 48\n"                           \
            "  .cfi_rel_offset 29, 0\n  .cfi_rel_offset 30, 8\n"                                   \
            "  stp x0, x1, [sp, #16]\n  str x2, [sp, #32]\n"                                       \
            "  bl " #enter "\n"                                                                    \
            "  mov x16, x0\n"                                                                      \
            "  ldr x2, [sp, #32]\n  ldp x0, x1, [sp, #16]\n"                                       \
            "  ldp x29, x30, [sp], #48\n  .cfi_adjust_cfa_offset -48\n"                            \
            "  .cfi_restore 29\n  .cfi_restore 30\n"                                               \
            "  br x16\n"                                                                           \
            "  .cfi_endproc\n.size " #name ", . - " #name "\n")
__asm__(".text\n.globl dlsym\n.type dlsym, %function\ndlsym:\n"
        "  .cfi_startproc\n"
        "  stp x29, x30, [sp, #-32]!\n  .cfi_adjust_cfa_offset 32\n"
        "  .cfi_rel_offset 29, 0\n  .cfi_rel_offset 30, 8\n"
        "  stp x0, x1, [sp, #16]\n"
        "  bl lo_dlsym_enter\n"
        "  cbnz x0, 1f\n"
        "  bl lo_dlsym_real\n"
        "  mov x16, x0\n"
        "  ldp x0, x1, [sp, #16]\n"
        "  ldp x29, x30, [sp], #32\n"
        "  br x16\n"
        "1:\n"
        "  ldp x29, x30, [sp], #32\n"
        "  ret\n"
        "  .cfi_endproc\n.size dlsym, . - dlsym\n");
#endif

JUMP(dlopen, lo_dlopen_enter);
JUMP(dlmopen, lo_dlmopen_enter);

LO_EXPORT int dlclose(void *handle);

/* An object that goes takes its locks with it: whatever lies where nothing is mapped any more. */
LO_EXPORT int dlclose(void *handle)
{
    int (*real)(void *) = (int (*)(void *))lo_real(LO_HOOK_dlclose);
    if (LO_UNLIKELY(real == NULL))
        return -1;
    struct lo_thread *thread = lo_enter();
    uint32_t births = lo_lock_births();
    int status = real(handle);
    lo_loader_is_free();
    if (thread != NULL)
        lo_objects_gone(thread, births);
    return status;
}
