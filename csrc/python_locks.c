/* The locks of Python's threading module from 3.14 on, which no call of the C library shows.
 *
 * Until then a lock is a semaphore, taken through a slot that is redirected. From 3.14 on
 * threading.Lock and RLock are bytes in their own objects (PyMutex), and the interpreter calls
 * itself directly. But what Python code asks of a lock goes through the table of its type's
 * methods (PyMethodDef, which is not constant), and there the functions are replaced: by a pending
 * call, which the interpreter runs where any Python code may run. Locks that were made before that
 * are known from their first acquisition on.
 */
#include "locks.h"
#include "python_frames.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>

/* Offsets that all builds with the GIL share from 3.14 on: PyTypeObject, PyMethodDescrObject,
 * PyCFunctionObject; the byte of a PyMutex in a lock's object, of which the lowest bit is 1 while
 * somebody has it (pycore_lock.h). */
enum { TYPE_DEALLOC = 48, TYPE_NEW = 312, DESCRIPTOR_METHOD = 40, FUNCTION_METHOD = 16, BYTE = 16 };

struct method { /* PyMethodDef */
    const char *name;
    void *function;
    int flags;
    const char *documentation;
};

typedef void *(*method_function)(void *self, void *arguments, void *keywords);
typedef void *(*new_function)(void *type, void *arguments, void *keywords);
typedef void (*dealloc_function)(void *self);

enum sort { LOCK, RLOCK, SORTS };

static struct {
    _Atomic(void *) acquire, enter, release, leave, give_all, take_all, make, end;
} real[SORTS];
static _Atomic(void *) real_allocate;

static struct {
    void *(*import)(const char *);
    void *(*attribute)(void *, const char *);
    void *(*item)(void *, ssize_t);
    ssize_t (*size)(void *);
    void *(*entry)(void *, const char *);
    long (*number)(void *);
    void *(*error)(void);
    void (*clear)(void);
    void (*forget)(void *);
    void *is_true, *is_false;
} python;

static bool find_python(void)
{
    python.import = (void *(*)(const char *))lo_find_defined("PyImport_ImportModule");
    python.attribute = (void *(*)(void *, const char *))lo_find_defined("PyObject_GetAttrString");
    python.item = (void *(*)(void *, ssize_t))lo_find_defined("PyTuple_GetItem");
    python.size = (ssize_t(*)(void *))lo_find_defined("PyTuple_Size");
    python.entry = (void *(*)(void *, const char *))lo_find_defined("PyDict_GetItemString");
    python.number = (long (*)(void *))lo_find_defined("PyLong_AsLong");
    python.error = (void *(*)(void))lo_find_defined("PyErr_Occurred");
    python.clear = (void (*)(void))lo_find_defined("PyErr_Clear");
    python.forget = (void (*)(void *))lo_find_defined("Py_DecRef");
    python.is_true = lo_find_defined("_Py_TrueStruct");
    python.is_false = lo_find_defined("_Py_FalseStruct");
    return python.import != NULL && python.attribute != NULL && python.item != NULL &&
           python.size != NULL && python.entry != NULL && python.number != NULL &&
           python.error != NULL && python.clear != NULL && python.forget != NULL &&
           python.is_true != NULL && python.is_false != NULL;
}

static uint8_t flags_of(enum sort sort)
{
    return sort == RLOCK ? LO_RECURSIVE : 0;
}

/* ---- what is recorded --------------------------------------------------------------------- */

static bool is_taken(const void *self)
{
    return (__atomic_load_n((const uint8_t *)self + BYTE, __ATOMIC_RELAXED) & 1) != 0;
}

/* Before a call that may wait. The lock's number, 0: nothing is recorded. */
static lo_id wants(struct lo_thread *thread, enum sort sort, void *self, uint8_t how, uintptr_t pc)
{
    if (thread == NULL)
        return 0;
    int saved_errno = errno;
    lo_id lock = lo_lock_add((uintptr_t)self, LO_KIND_PYTHON_LOCK, flags_of(sort), pc);
    if (lock != 0 && is_taken(self) && how != LO_TRY && !lo_is_signal(lock) &&
        lo_find_held(thread, lock) < 0) {
        lock = lo_intend(thread, lock, LO_EXCLUSIVE, how, pc);
        thread->area->wait_mode = LO_EXCLUSIVE;
        thread->area->wait_since_ns = lo_now();
        thread->area->waits_for = lock;
        lo_busy(thread);
        lo_lock_record(thread, lock, 0);
        lo_idle(thread);
    }
    errno = saved_errno;
    return lock;
}

static void has(struct lo_thread *thread, lo_id lock, uint8_t how, uintptr_t pc)
{
    if (lock == 0)
        return;
    int saved_errno = errno;
    int index = lo_find_held(thread, lock);
    if (index >= 0)
        lo_take_again(thread, (uint32_t)index);
    else if (!lo_is_signal(lock))
        lo_push(thread, lock, LO_EXCLUSIVE, how, pc);
    errno = saved_errno;
}

static void *take(enum sort sort, void *call, void *self, void *arguments, void *keywords,
                  uint8_t how, uintptr_t pc)
{
    struct lo_thread *thread = lo_enter();
    lo_id lock = wants(thread, sort, self, how, pc);
    /* Who has it and wants it again, or wants what others release, waits for a signal. */
    bool again = lock != 0 && sort == LOCK && how != LO_TRY &&
                 (lo_is_signal(lock) || lo_find_held(thread, lock) >= 0);
    struct lo_call wait __attribute__((cleanup(lo_call_end))) = {NULL, NULL, 0};
    bool waits = again && is_taken(self);
    if (waits) {
        int saved_errno = errno;
        lo_forget_gil(thread); /* the interpreter gives it up for the time */
        errno = saved_errno;
    }
    if (waits && thread->depth > (lo_is_signal(lock) ? 0 : 1))
        lo_call_begin(&wait, how == LO_TIMED ? LO_HOOK_sem_timedwait : LO_HOOK_sem_wait,
                      (uintptr_t)self, pc, lock);
    void *result = ((method_function)call)(self, arguments, keywords);
    if (lock != 0)
        thread->area->waits_for = 0;
    if (result != NULL && result != python.is_false)
        has(thread, lock, how, pc);
    return result;
}

/* By a thread that does not hold it: a signal from then on, as a semaphore is. */
static void *give(void *call, void *self, void *arguments, bool all)
{
    struct lo_thread *thread = lo_enter();
    lo_id lock = thread == NULL ? 0 : lo_lock_known((uintptr_t)self);
    int index = lock == 0 ? -1 : lo_find_held(thread, lock);
    if (lock != 0 && !lo_is_signal(lock)) {
        if (index < 0) {
            lo_lock_becomes_signal(thread, lock);
        } else if (all) {
            lo_remove(thread, (uint32_t)index);
        } else {
            lo_pop(thread, lock);
        }
    }
    return ((method_function)call)(self, arguments, NULL);
}

/* acquire(blocking=True, timeout=-1) */
static uint8_t how_of(void *arguments, void *keywords)
{
    ssize_t count = python.size(arguments);
    void *blocking = count > 0 ? python.item(arguments, 0) : NULL;
    void *timeout = count > 1 ? python.item(arguments, 1) : NULL;
    if (blocking == NULL && keywords != NULL)
        blocking = python.entry(keywords, "blocking");
    if (timeout == NULL && keywords != NULL)
        timeout = python.entry(keywords, "timeout");
    if (blocking == python.is_false)
        return LO_TRY;
    if (blocking != NULL && blocking != python.is_true) {
        long number = python.number(blocking);
        if (number == -1 && python.error() != NULL)
            python.clear();
        else if (number == 0)
            return LO_TRY;
    }
    return timeout != NULL ? LO_TIMED : LO_BLOCKING;
}

/* ---- the methods, of each sort ------------------------------------------------------------ */

static void *made(enum sort sort, void *object, uintptr_t pc)
{
    if (object != NULL)
        lo_lock_born((uintptr_t)object, LO_KIND_PYTHON_LOCK, flags_of(sort), pc);
    return object;
}

#define METHODS(sort, name)                                                                        \
    static void *name##_acquire(void *self, void *arguments, void *keywords)                       \
    {                                                                                              \
        return take(sort, atomic_load(&real[sort].acquire), self, arguments, keywords,             \
                    how_of(arguments, keywords), LO_CALLER());                                     \
    }                                                                                              \
    static void *name##_enter(void *self, void *arguments, void *keywords)                         \
    {                                                                                              \
        return take(sort, atomic_load(&real[sort].enter), self, arguments, keywords, LO_BLOCKING,  \
                    LO_CALLER());                                                                  \
    }                                                                                              \
    static void *name##_take_all(void *self, void *arguments, void *keywords)                      \
    {                                                                                              \
        return take(sort, atomic_load(&real[sort].take_all), self, arguments, keywords,            \
                    LO_BLOCKING, LO_CALLER());                                                     \
    }                                                                                              \
    static void *name##_release(void *self, void *arguments, void *keywords)                       \
    {                                                                                              \
        (void)keywords;                                                                            \
        return give(atomic_load(&real[sort].release), self, arguments, false);                     \
    }                                                                                              \
    static void *name##_leave(void *self, void *arguments, void *keywords)                         \
    {                                                                                              \
        (void)keywords;                                                                            \
        return give(atomic_load(&real[sort].leave), self, arguments, false);                       \
    }                                                                                              \
    static void *name##_give_all(void *self, void *arguments, void *keywords)                      \
    {                                                                                              \
        (void)keywords;                                                                            \
        return give(atomic_load(&real[sort].give_all), self, arguments, true);                     \
    }                                                                                              \
    static void *name##_make(void *type, void *arguments, void *keywords)                          \
    {                                                                                              \
        new_function call = (new_function)atomic_load(&real[sort].make);                           \
        return made(sort, call(type, arguments, keywords), LO_CALLER());                           \
    }                                                                                              \
    static void name##_end(void *self)                                                             \
    {                                                                                              \
        lo_lock_ends((uintptr_t)self, LO_DEATHS_BY_FREE);                                          \
        ((dealloc_function)atomic_load(&real[sort].end))(self);                                    \
    }

METHODS(LOCK, lock)
METHODS(RLOCK, rlock)

static void *allocate_lock(void *module, void *arguments, void *keywords)
{
    void *lock = ((method_function)atomic_load(&real_allocate))(module, arguments, keywords);
    return made(LOCK, lock, LO_CALLER());
}

/* ---- into the tables ---------------------------------------------------------------------- */

static void replace(void **place, _Atomic(void *) *former, void *ours)
{
    if (*place == ours)
        return;
    atomic_store(former, *place);
    __atomic_store_n(place, ours, __ATOMIC_RELEASE);
}

/* Whatever has that name: both names of a method have an entry of their own. */
static void replace_method(void *type, const char *name, _Atomic(void *) *former, void *ours)
{
    void *descriptor = python.attribute(type, name);
    if (descriptor == NULL) {
        python.clear();
        return;
    }
    struct method *method = *(struct method **)((char *)descriptor + DESCRIPTOR_METHOD);
    if (method != NULL && strcmp(method->name, name) == 0)
        replace(&method->function, former, ours);
    python.forget(descriptor);
}

struct wrappers {
    method_function acquire, enter, take_all, release, leave, give_all;
    new_function make;
    dealloc_function end;
};

static void replace_type(void *module, const char *name, enum sort sort, struct wrappers ours)
{
    char *type = python.attribute(module, name);
    if (type == NULL) {
        python.clear();
        return;
    }
    replace_method(type, "acquire", &real[sort].acquire, (void *)ours.acquire);
    replace_method(type, "acquire_lock", &real[sort].acquire, (void *)ours.acquire);
    replace_method(type, "__enter__", &real[sort].enter, (void *)ours.enter);
    replace_method(type, "release", &real[sort].release, (void *)ours.release);
    replace_method(type, "release_lock", &real[sort].release, (void *)ours.release);
    replace_method(type, "__exit__", &real[sort].leave, (void *)ours.leave);
    replace_method(type, "_release_save", &real[sort].give_all, (void *)ours.give_all);
    replace_method(type, "_acquire_restore", &real[sort].take_all, (void *)ours.take_all);
    replace((void **)(type + TYPE_NEW), &real[sort].make, (void *)ours.make);
    replace((void **)(type + TYPE_DEALLOC), &real[sort].end, (void *)ours.end);
    python.forget(type);
}

static int replace_all(void *nothing)
{
    (void)nothing;
    void *module = python.import("_thread");
    if (module == NULL) {
        python.clear();
        return 0;
    }
    replace_type(module, "lock", LOCK,
                 (struct wrappers){lock_acquire, lock_enter, lock_take_all, lock_release,
                                   lock_leave, lock_give_all, lock_make, lock_end});
    replace_type(module, "RLock", RLOCK,
                 (struct wrappers){rlock_acquire, rlock_enter, rlock_take_all, rlock_release,
                                   rlock_leave, rlock_give_all, rlock_make, rlock_end});
    char *function = python.attribute(module, "allocate_lock");
    if (function != NULL) {
        struct method *method = *(struct method **)(function + FUNCTION_METHOD);
        if (method != NULL && strcmp(method->name, "allocate_lock") == 0)
            replace(&method->function, &real_allocate, (void *)allocate_lock);
        python.forget(function);
    } else {
        python.clear();
    }
    python.forget(module);
    return 0;
}

/* The interpreter runs, and this thread has the GIL. */
void lo_python_locks_setup(void)
{
    static _Atomic bool asked;
    if (LO_LIKELY(atomic_load_explicit(&asked, memory_order_relaxed)) ||
        atomic_exchange(&asked, true))
        return;
    int (*later)(int (*)(void *), void *) =
        (int (*)(int (*)(void *), void *))lo_find_defined("Py_AddPendingCall");
    if (lo_python_minor() >= 14 && later != NULL && find_python() && later(replace_all, NULL) != 0)
        atomic_store(&asked, false); /* there is no room for another one now */
}
