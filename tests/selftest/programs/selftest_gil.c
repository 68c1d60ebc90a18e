/* An extension module whose functions take a mutex and Python's global lock, in every order.
 *
 * The names say what a function does: "mutex_then_gil" takes the mutex, and then, with it held,
 * the GIL. All are called with the GIL held, as Python calls them.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static PyObject *gil_then_mutex(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    Py_RETURN_NONE;
}

static PyObject *gil_then_trylock(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    Py_RETURN_NONE;
}

static PyObject *mutex_without_gil(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    Py_BEGIN_ALLOW_THREADS pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

/* The mutex is still held where Py_END_ALLOW_THREADS takes the GIL back. */
static PyObject *mutex_then_restore(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    Py_BEGIN_ALLOW_THREADS pthread_mutex_lock(&mutex);
    Py_END_ALLOW_THREADS pthread_mutex_unlock(&mutex);
    Py_RETURN_NONE;
}

static PyObject *mutex_then_ensure(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    Py_BEGIN_ALLOW_THREADS pthread_mutex_lock(&mutex);
    PyGILState_STATE state = PyGILState_Ensure();
    PyGILState_Release(state);
    pthread_mutex_unlock(&mutex);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

/* Ensure where the GIL is held already waits for nobody. */
static PyObject *mutex_then_ensure_with_gil(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    pthread_mutex_lock(&mutex);
    PyGILState_STATE state = PyGILState_Ensure();
    PyGILState_Release(state);
    pthread_mutex_unlock(&mutex);
    Py_RETURN_NONE;
}

static PyObject *gate_gil_mutex(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&gate);
    PyEval_RestoreThread(state);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    state = PyEval_SaveThread();
    pthread_mutex_unlock(&gate);
    PyEval_RestoreThread(state);
    Py_RETURN_NONE;
}

static PyObject *gate_mutex_gil(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&mutex);
    PyEval_RestoreThread(state);
    pthread_mutex_unlock(&mutex);
    state = PyEval_SaveThread();
    pthread_mutex_unlock(&gate);
    PyEval_RestoreThread(state);
    Py_RETURN_NONE;
}

/* ---- threads that Python knows nothing of ------------------------------------------------- */

static void *native_mutex_then_ensure(void *unused)
{
    pthread_mutex_lock(&mutex);
    PyGILState_STATE state = PyGILState_Ensure();
    PyGILState_Release(state);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *native_ensure_alone(void *unused)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyGILState_Release(state);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *native_mutex(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static PyObject *joined(void *(*runs)(void *), int with_gil)
{
    pthread_t thread;
    PyThreadState *state = with_gil ? NULL : PyEval_SaveThread();
    int result = pthread_create(&thread, NULL, runs, NULL);
    if (result == 0)
        pthread_join(thread, NULL);
    if (state)
        PyEval_RestoreThread(state);
    if (result != 0)
        return PyErr_SetFromErrno(PyExc_OSError);
    Py_RETURN_NONE;
}

static PyObject *native_thread_mutex_then_gil(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return joined(native_mutex_then_ensure, 0);
}

static PyObject *native_thread_gil_alone(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return joined(native_ensure_alone, 0);
}

static PyObject *join_with_gil(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return joined(native_mutex, 1);
}

static PyObject *join_without_gil(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return joined(native_mutex, 0);
}

#define METHOD(NAME) {#NAME, NAME, METH_NOARGS, NULL}

static PyMethodDef methods[] = {
    METHOD(gil_then_mutex),
    METHOD(gil_then_trylock),
    METHOD(mutex_without_gil),
    METHOD(mutex_then_restore),
    METHOD(mutex_then_ensure),
    METHOD(mutex_then_ensure_with_gil),
    METHOD(gate_gil_mutex),
    METHOD(gate_mutex_gil),
    METHOD(native_thread_mutex_then_gil),
    METHOD(native_thread_gil_alone),
    METHOD(join_with_gil),
    METHOD(join_without_gil),
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "selftest_gil", .m_size = -1,
                                    .m_methods = methods};

PyMODINIT_FUNC PyInit_selftest_gil(void)
{
    return PyModule_Create(&module);
}
