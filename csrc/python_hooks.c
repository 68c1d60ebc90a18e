/* The GIL, as far as calls show it, and by asking.
 *
 * An interpreter that is linked statically takes and gives its lock by calls that no slot shows;
 * what extension modules do with it goes through slots. So whoever takes a first lock is asked
 * whether it has the GIL: the current thread state is this thread's (before 3.12 one global, from
 * 3.12 on thread-local). Neither question locks or allocates.
 */
#include "locks.h"
#include "python_frames.h"

#include <errno.h>
#include <link.h>
#include <string.h>

_Atomic bool lo_python_loaded;
_Atomic uint32_t lo_python_flags;

static _Atomic(void *) current_state;  /* PyThreadState *(void), NULL without the GIL */
static _Atomic(void *) own_state;      /* PyGILState_GetThisThreadState; unused from 3.12 on */
static _Atomic(void *) is_initialized; /* Py_IsInitialized */
static _Atomic uintptr_t python_start, python_end;
static _Atomic bool state_is_local;
static _Alignas(8) char gil_address; /* no lock has an odd address */

typedef void *(*get_state)(void);

static int find_python(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    uintptr_t inside = *(uintptr_t *)argument;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && inside - start < segment->p_memsz) {
            atomic_store(&python_start, start);
            atomic_store(&python_end, start + segment->p_memsz);
            return 1;
        }
    }
    return 0;
}

void lo_python_setup(void)
{
    if (atomic_load(&lo_python_loaded))
        return;
    void *initialized = lo_find_defined("Py_IsInitialized");
    if (initialized == NULL)
        return;
    void *state = lo_find_defined("PyThreadState_GetUnchecked"); /* 3.13 */
    if (state == NULL)
        state = lo_find_defined("_PyThreadState_UncheckedGet"); /* 3.5 to 3.12 */
    void *own = lo_find_defined("PyGILState_GetThisThreadState");
    const uint32_t *version = lo_find_defined("Py_Version"); /* 3.11 */
    if (state == NULL || own == NULL)
        return;
    atomic_store(&state_is_local, version != NULL && *version >= 0x030c0000);
    atomic_store(&current_state, state);
    atomic_store(&own_state, own);
    atomic_store(&is_initialized, initialized);
    uintptr_t inside = (uintptr_t)initialized;
    dl_iterate_phdr(find_python, &inside);
    bool known = lo_python_frames_setup(state, own, initialized);
    atomic_store(&lo_python_flags, LO_PYTHON_LOADED | (known ? LO_PYTHON_READ : LO_PYTHON_UNKNOWN));
    if (lo_trace != NULL)
        lo_trace->flags |= atomic_load(&lo_python_flags);
    atomic_store(&lo_python_loaded, true);
}

bool lo_in_python(uintptr_t pc)
{
    return pc >= atomic_load(&python_start) && pc < atomic_load(&python_end);
}

bool lo_gil_held(void)
{
    if (!atomic_load_explicit(&lo_python_loaded, memory_order_relaxed))
        return false;
    /* A thread-local state is there while the thread has the GIL, and never else. */
    bool local = atomic_load_explicit(&state_is_local, memory_order_relaxed);
    if (!local && ((int (*)(void))atomic_load(&is_initialized))() == 0)
        return false;
    void *state = ((get_state)atomic_load_explicit(&current_state, memory_order_relaxed))();
    bool held = state != NULL && (local || state == ((get_state)atomic_load(&own_state))());
    if (held)
        lo_python_locks_setup();
    return held;
}

/* It never ends. */
lo_id lo_gil_lock(void)
{
    static _Atomic lo_id gil;
    lo_id known = atomic_load_explicit(&gil, memory_order_relaxed);
    if (LO_LIKELY(known != 0))
        return known;
    known = lo_lock_add((uintptr_t)&gil_address, LO_KIND_GIL, LO_RECURSIVE, 0);
    atomic_store_explicit(&gil, known, memory_order_relaxed);
    return known;
}

/* Whether the thread's list has the GIL already. */
static int held_gil(struct lo_thread *thread)
{
    lo_id gil = lo_gil_lock();
    return gil == 0 ? -1 : lo_find_held(thread, gil);
}

/* Asked for while other locks are held: an order, recorded before it can block. */
static void asks_for_gil(struct lo_thread *thread, uintptr_t pc)
{
    int saved_errno = errno;
    if (thread->depth > 0 && thread->levels[thread->depth].inner)
        lo_inner_crossed();
    if (thread->depth > 0 && held_gil(thread) < 0 && !lo_gil_held())
        lo_intend(thread, lo_gil_lock(), LO_EXCLUSIVE, LO_BLOCKING, pc);
    errno = saved_errno;
}

/* It has it now. With nothing but Python's locks held it need not be noted: the next lock asks. */
static void has_gil(struct lo_thread *thread, uintptr_t pc)
{
    int saved_errno = errno;
    if (!lo_holds_only(thread, thread->depth, 1u << LO_KIND_PYTHON_LOCK) && held_gil(thread) < 0)
        lo_push(thread, lo_gil_lock(), LO_EXCLUSIVE, LO_BLOCKING, pc);
    thread->area->gil = 1;
    errno = saved_errno;
}

void lo_forget_gil(struct lo_thread *thread)
{
    int index = held_gil(thread);
    if (index >= 0)
        lo_remove(thread, (uint32_t)index);
}

static void gives_gil(struct lo_thread *thread)
{
    int saved_errno = errno;
    lo_forget_gil(thread);
    thread->area->gil = 2;
    errno = saved_errno;
}

int lo_wrap_PyGILState_Ensure(void);
int lo_wrap_PyGILState_Ensure(void)
{
    struct lo_thread *thread = lo_enter();
    uintptr_t pc = LO_CALLER();
    if (thread != NULL)
        asks_for_gil(thread, pc);
    int state = ((int (*)(void))lo_real(LO_HOOK_PyGILState_Ensure))();
    if (thread != NULL)
        has_gil(thread, pc);
    return state;
}

void lo_wrap_PyGILState_Release(int state);
void lo_wrap_PyGILState_Release(int state)
{
    enum { LOCKED, UNLOCKED }; /* PyGILState_STATE: as it was before Ensure */
    struct lo_thread *thread = lo_enter();
    if (thread != NULL && state == UNLOCKED)
        gives_gil(thread);
    ((void (*)(int))lo_real(LO_HOOK_PyGILState_Release))(state);
}

void *lo_wrap_PyEval_SaveThread(void);
void *lo_wrap_PyEval_SaveThread(void)
{
    struct lo_thread *thread = lo_enter();
    if (thread != NULL)
        gives_gil(thread);
    return ((void *(*)(void))lo_real(LO_HOOK_PyEval_SaveThread))();
}

void lo_wrap_PyEval_RestoreThread(void *state);
void lo_wrap_PyEval_RestoreThread(void *state)
{
    struct lo_thread *thread = lo_enter();
    uintptr_t pc = LO_CALLER();
    if (thread != NULL)
        asks_for_gil(thread, pc);
    ((void (*)(void *))lo_real(LO_HOOK_PyEval_RestoreThread))(state);
    if (thread != NULL)
        has_gil(thread, pc);
}

void lo_wrap_PyEval_AcquireThread(void *state);
void lo_wrap_PyEval_AcquireThread(void *state)
{
    struct lo_thread *thread = lo_enter();
    uintptr_t pc = LO_CALLER();
    if (thread != NULL)
        asks_for_gil(thread, pc);
    ((void (*)(void *))lo_real(LO_HOOK_PyEval_AcquireThread))(state);
    if (thread != NULL)
        has_gil(thread, pc);
}

void lo_wrap_PyEval_ReleaseThread(void *state);
void lo_wrap_PyEval_ReleaseThread(void *state)
{
    struct lo_thread *thread = lo_enter();
    if (thread != NULL)
        gives_gil(thread);
    ((void (*)(void *))lo_real(LO_HOOK_PyEval_ReleaseThread))(state);
}
