// Parse-only stand-in for CPython's Python.h (3.13): the C API's types, functions and macros.
#pragma once
#include "patchlevel.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#define PYTHON_API_VERSION 1013
#define PYTHON_ABI_VERSION 3
#ifdef __cplusplus
#define PyMODINIT_FUNC extern "C" PyObject*
#else
#define PyMODINIT_FUNC PyObject*
#endif
#define PyAPI_FUNC(T) T
#define PyAPI_DATA(T) extern T
#define Py_LOCAL(T) static T
#define Py_LOCAL_INLINE(T) static inline T
#define Py_UNUSED(name) _unused_##name
#define Py_DEPRECATED(v)
#define Py_GCC_ATTRIBUTE(x)
#define Py_ALWAYS_INLINE
#define Py_NO_INLINE
#define Py_ABS(x) ((x) < 0 ? -(x) : (x))
#define Py_MIN(x, y) ((x) > (y) ? (y) : (x))
#define Py_MAX(x, y) ((x) > (y) ? (x) : (y))
#define Py_STRINGIFY(x) #x
#define Py_MEMBER_SIZE(t, m) sizeof(((t*)0)->m)
#define Py_ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define Py_BUILD_ASSERT(c) ((void)sizeof(char[(c) ? 1 : -1]))
#define Py_SAFE_DOWNCAST(v, w, n) ((n)(v))
#define Py_CHARMASK(c) ((unsigned char)((c) & 0xff))
#define Py_UNREACHABLE() abort()
#define PyDoc_VAR(name) static const char name[]
#define PyDoc_STRVAR(name, str) static const char name[] = str
#define PyDoc_STR(str) str
#define Py_SSIZE_T_MAX ((Py_ssize_t)(((size_t)-1) >> 1))
#define PY_SSIZE_T_MAX Py_SSIZE_T_MAX
#define PY_SSIZE_T_MIN (-PY_SSIZE_T_MAX - 1)
#define PY_LONG_LONG long long
#define PY_FORMAT_SIZE_T "z"
#define HAVE_LONG_LONG 1
#define WITH_THREAD 1
#define Py_MATH_PI 3.14159265358979323846
#define Py_MATH_E 2.7182818284590452354
#define Py_NAN ((double)NAN)
#define Py_HUGE_VAL HUGE_VAL
#define Py_IS_NAN(x) isnan(x)
#define Py_IS_INFINITY(x) isinf(x)
#define Py_IS_FINITE(x) isfinite(x)

typedef ssize_t Py_ssize_t;
typedef Py_ssize_t Py_hash_t;
typedef size_t Py_uhash_t;
typedef intptr_t Py_intptr_t;
typedef uintptr_t Py_uintptr_t;
typedef uint32_t Py_UCS4;
typedef uint16_t Py_UCS2;
typedef uint8_t Py_UCS1;
typedef wchar_t Py_UNICODE;
typedef int64_t PyTime_t;
typedef struct { double real, imag; } Py_complex;

typedef struct _typeobject PyTypeObject;
typedef struct _object { Py_ssize_t ob_refcnt; PyTypeObject* ob_type; } PyObject;
typedef struct { PyObject ob_base; Py_ssize_t ob_size; } PyVarObject;
#define PyObject_HEAD PyObject ob_base;
#define PyObject_VAR_HEAD PyVarObject ob_base;
#define PyObject_HEAD_INIT(type) { 1, (type) },
#define PyVarObject_HEAD_INIT(type, size) { PyObject_HEAD_INIT(type) (size) },
#define _PyObject_CAST(op) ((PyObject*)(op))
#define _PyObject_EXTRA_INIT
#define _PyVarObject_CAST(op) ((PyVarObject*)(op))
typedef struct _ts PyThreadState;
typedef struct _is PyInterpreterState;
typedef struct _frame PyFrameObject;
typedef struct PyCodeObject PyCodeObject;
typedef struct PyModuleDef PyModuleDef;
typedef struct PyMethodDef PyMethodDef;
typedef struct PyGetSetDef PyGetSetDef;
typedef struct PyMemberDef PyMemberDef;
typedef struct _longobject PyLongObject;
typedef struct _arena PyArena;

typedef struct { void* buf; PyObject* obj; Py_ssize_t len, itemsize; int readonly, ndim; char* format; Py_ssize_t *shape, *strides, *suboffsets; void* internal; } Py_buffer;
typedef PyObject* (*unaryfunc)(PyObject*);
typedef PyObject* (*binaryfunc)(PyObject*, PyObject*);
typedef PyObject* (*ternaryfunc)(PyObject*, PyObject*, PyObject*);
typedef int (*inquiry)(PyObject*);
typedef Py_ssize_t (*lenfunc)(PyObject*);
typedef PyObject* (*ssizeargfunc)(PyObject*, Py_ssize_t);
typedef PyObject* (*ssizessizeargfunc)(PyObject*, Py_ssize_t, Py_ssize_t);
typedef int (*ssizeobjargproc)(PyObject*, Py_ssize_t, PyObject*);
typedef int (*ssizessizeobjargproc)(PyObject*, Py_ssize_t, Py_ssize_t, PyObject*);
typedef int (*objobjargproc)(PyObject*, PyObject*, PyObject*);
typedef int (*objobjproc)(PyObject*, PyObject*);
typedef int (*visitproc)(PyObject*, void*);
typedef int (*traverseproc)(PyObject*, visitproc, void*);
typedef void (*freefunc)(void*);
typedef void (*destructor)(PyObject*);
typedef PyObject* (*getattrfunc)(PyObject*, char*);
typedef PyObject* (*getattrofunc)(PyObject*, PyObject*);
typedef int (*setattrfunc)(PyObject*, char*, PyObject*);
typedef int (*setattrofunc)(PyObject*, PyObject*, PyObject*);
typedef PyObject* (*reprfunc)(PyObject*);
typedef Py_hash_t (*hashfunc)(PyObject*);
typedef PyObject* (*richcmpfunc)(PyObject*, PyObject*, int);
typedef PyObject* (*getiterfunc)(PyObject*);
typedef PyObject* (*iternextfunc)(PyObject*);
typedef PyObject* (*descrgetfunc)(PyObject*, PyObject*, PyObject*);
typedef int (*descrsetfunc)(PyObject*, PyObject*, PyObject*);
typedef int (*initproc)(PyObject*, PyObject*, PyObject*);
typedef PyObject* (*newfunc)(PyTypeObject*, PyObject*, PyObject*);
typedef PyObject* (*allocfunc)(PyTypeObject*, Py_ssize_t);
typedef PyObject* (*vectorcallfunc)(PyObject*, PyObject* const*, size_t, PyObject*);
typedef int (*getbufferproc)(PyObject*, Py_buffer*, int);
typedef void (*releasebufferproc)(PyObject*, Py_buffer*);
typedef PyObject* (*PyCFunction)(PyObject*, PyObject*);
typedef PyObject* (*PyCFunctionWithKeywords)(PyObject*, PyObject*, PyObject*);
typedef PyObject* (*PyCFunctionFast)(PyObject*, PyObject* const*, Py_ssize_t);
typedef PyObject* (*PyCFunctionFastWithKeywords)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
typedef PyCFunctionFast _PyCFunctionFast;
typedef PyCFunctionFastWithKeywords _PyCFunctionFastWithKeywords;
typedef PyObject* (*PyCMethod)(PyObject*, PyTypeObject*, PyObject* const*, size_t, PyObject*);
typedef PyObject* (*getter)(PyObject*, void*);
typedef int (*setter)(PyObject*, PyObject*, void*);
typedef PyObject* (*wrapperfunc)(PyObject*, PyObject*, void*);
typedef void (*PyCapsule_Destructor)(PyObject*);
typedef int (*Py_tracefunc)(PyObject*, PyFrameObject*, int, PyObject*);
typedef PyObject* (*_PyFrameEvalFunction)(PyThreadState*, struct _PyInterpreterFrame*, int);
typedef void (*PyOS_sighandler_t)(int);
typedef int (*Py_AuditHookFunction)(const char*, PyObject*, void*);

struct PyMethodDef { const char* ml_name; PyCFunction ml_meth; int ml_flags; const char* ml_doc; };
struct PyGetSetDef { const char* name; getter get; setter set; const char* doc; void* closure; };
struct PyMemberDef { const char* name; int type; Py_ssize_t offset; int flags; const char* doc; };
typedef struct { binaryfunc nb_add, nb_subtract, nb_multiply, nb_remainder, nb_divmod; ternaryfunc nb_power; unaryfunc nb_negative, nb_positive, nb_absolute; inquiry nb_bool; unaryfunc nb_invert;
  binaryfunc nb_lshift, nb_rshift, nb_and, nb_xor, nb_or; unaryfunc nb_int; void* nb_reserved; unaryfunc nb_float; binaryfunc nb_inplace_add, nb_inplace_subtract, nb_inplace_multiply, nb_inplace_remainder; ternaryfunc nb_inplace_power;
  binaryfunc nb_inplace_lshift, nb_inplace_rshift, nb_inplace_and, nb_inplace_xor, nb_inplace_or, nb_floor_divide, nb_true_divide, nb_inplace_floor_divide, nb_inplace_true_divide; unaryfunc nb_index; binaryfunc nb_matrix_multiply, nb_inplace_matrix_multiply; } PyNumberMethods;
typedef struct { lenfunc sq_length; binaryfunc sq_concat; ssizeargfunc sq_repeat, sq_item; void* was_sq_slice; ssizeobjargproc sq_ass_item; void* was_sq_ass_slice; objobjproc sq_contains; binaryfunc sq_inplace_concat; ssizeargfunc sq_inplace_repeat; } PySequenceMethods;
typedef struct { lenfunc mp_length; binaryfunc mp_subscript; objobjargproc mp_ass_subscript; } PyMappingMethods;
typedef struct { unaryfunc am_await, am_aiter, am_anext; void* am_send; } PyAsyncMethods;
typedef struct { getbufferproc bf_getbuffer; releasebufferproc bf_releasebuffer; } PyBufferProcs;
#ifdef __cplusplus
struct lostub_pyoffset { Py_ssize_t v; constexpr lostub_pyoffset() : v(0) {} template <class T> constexpr lostub_pyoffset(T) : v(0) {} constexpr operator Py_ssize_t() const { return v; } };
#else
typedef Py_ssize_t lostub_pyoffset;
#endif
struct _typeobject {
  PyVarObject ob_base; const char* tp_name; Py_ssize_t tp_basicsize, tp_itemsize; destructor tp_dealloc; lostub_pyoffset tp_vectorcall_offset; getattrfunc tp_getattr; setattrfunc tp_setattr; PyAsyncMethods* tp_as_async; reprfunc tp_repr;
  PyNumberMethods* tp_as_number; PySequenceMethods* tp_as_sequence; PyMappingMethods* tp_as_mapping; hashfunc tp_hash; ternaryfunc tp_call; reprfunc tp_str; getattrofunc tp_getattro; setattrofunc tp_setattro; PyBufferProcs* tp_as_buffer;
  unsigned long tp_flags; const char* tp_doc; traverseproc tp_traverse; inquiry tp_clear; richcmpfunc tp_richcompare; Py_ssize_t tp_weaklistoffset; getiterfunc tp_iter; iternextfunc tp_iternext; PyMethodDef* tp_methods; PyMemberDef* tp_members; PyGetSetDef* tp_getset;
  PyTypeObject* tp_base; PyObject* tp_dict; descrgetfunc tp_descr_get; descrsetfunc tp_descr_set; Py_ssize_t tp_dictoffset; initproc tp_init; allocfunc tp_alloc; newfunc tp_new; freefunc tp_free; inquiry tp_is_gc;
  PyObject *tp_bases, *tp_mro, *tp_cache; void* tp_subclasses; PyObject* tp_weaklist; destructor tp_del; unsigned int tp_version_tag; destructor tp_finalize; vectorcallfunc tp_vectorcall; unsigned char tp_watched; uint16_t tp_versions_used; };
typedef struct _heaptypeobject { PyTypeObject ht_type; PyAsyncMethods as_async; PyNumberMethods as_number; PyMappingMethods as_mapping; PySequenceMethods as_sequence; PyBufferProcs as_buffer; PyObject *ht_name, *ht_slots, *ht_qualname; void* ht_cached_keys; PyObject* ht_module; } PyHeapTypeObject;
typedef struct { int slot; void* pfunc; } PyType_Slot;
typedef struct { const char* name; int basicsize, itemsize; unsigned int flags; PyType_Slot* slots; } PyType_Spec;
typedef struct { PyObject ob_base; PyObject* (*m_init)(void); Py_ssize_t m_index; PyObject* m_copy; } PyModuleDef_Base;
typedef struct PyModuleDef_Slot { int slot; void* value; } PyModuleDef_Slot;
struct PyModuleDef { PyModuleDef_Base m_base; const char *m_name, *m_doc; Py_ssize_t m_size; PyMethodDef* m_methods; PyModuleDef_Slot* m_slots; traverseproc m_traverse; inquiry m_clear; freefunc m_free; };
#define PyModuleDef_HEAD_INIT { PyObject_HEAD_INIT(NULL) NULL, 0, NULL }
#define Py_mod_create 1
#define Py_mod_exec 2
#define Py_mod_multiple_interpreters 3
#define Py_mod_gil 4
#define Py_MOD_GIL_USED ((void*)0)
#define Py_MOD_GIL_NOT_USED ((void*)1)
#define Py_MOD_PER_INTERPRETER_GIL_SUPPORTED ((void*)2)
#define METH_VARARGS 0x0001
#define METH_KEYWORDS 0x0002
#define METH_NOARGS 0x0004
#define METH_O 0x0008
#define METH_CLASS 0x0010
#define METH_STATIC 0x0020
#define METH_COEXIST 0x0040
#define METH_FASTCALL 0x0080
#define METH_METHOD 0x0200
#define METH_OLDARGS 0x0000
#define Py_TPFLAGS_DEFAULT 0UL
#define Py_TPFLAGS_BASETYPE (1UL << 10)
#define Py_TPFLAGS_HEAPTYPE (1UL << 9)
#define Py_TPFLAGS_HAVE_GC (1UL << 14)
#define Py_TPFLAGS_READY (1UL << 12)
#define Py_TPFLAGS_IMMUTABLETYPE (1UL << 8)
#define Py_TPFLAGS_DISALLOW_INSTANTIATION (1UL << 7)
#define Py_TPFLAGS_MAPPING (1UL << 6)
#define Py_TPFLAGS_SEQUENCE (1UL << 5)
#define Py_TPFLAGS_MANAGED_DICT (1UL << 4)
#define Py_TPFLAGS_MANAGED_WEAKREF (1UL << 3)
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#define Py_TPFLAGS_METHOD_DESCRIPTOR (1UL << 17)
#define Py_TPFLAGS_VALID_VERSION_TAG (1UL << 19)
#define Py_TPFLAGS_IS_ABSTRACT (1UL << 20)
#define Py_TPFLAGS_HAVE_VERSION_TAG (1UL << 18)
#define Py_TPFLAGS_CHECKTYPES 0UL
#define Py_TPFLAGS_HAVE_NEWBUFFER 0UL
#define Py_TPFLAGS_HAVE_FINALIZE 1UL
#define Py_TPFLAGS_LONG_SUBCLASS (1UL << 24)
#define Py_TPFLAGS_LIST_SUBCLASS (1UL << 25)
#define Py_TPFLAGS_TUPLE_SUBCLASS (1UL << 26)
#define Py_TPFLAGS_BYTES_SUBCLASS (1UL << 27)
#define Py_TPFLAGS_UNICODE_SUBCLASS (1UL << 28)
#define Py_TPFLAGS_DICT_SUBCLASS (1UL << 29)
#define Py_TPFLAGS_BASE_EXC_SUBCLASS (1UL << 30)
#define Py_TPFLAGS_TYPE_SUBCLASS (1UL << 31)
#define Py_LT 0
#define Py_LE 1
#define Py_EQ 2
#define Py_NE 3
#define Py_GT 4
#define Py_GE 5
#define Py_READONLY 1
#define READONLY 1
#define Py_AUDIT_READ 2
#define Py_PRINT_RAW 1
#define Py_single_input 256
#define Py_file_input 257
#define Py_eval_input 258
#define Py_CLEANUP_SUPPORTED 0x20000
enum { Py_T_SHORT, Py_T_INT, Py_T_LONG, Py_T_FLOAT, Py_T_DOUBLE, Py_T_STRING, _Py_T_OBJECT, Py_T_CHAR, Py_T_BYTE, Py_T_UBYTE, Py_T_USHORT, Py_T_UINT, Py_T_ULONG, Py_T_STRING_INPLACE, Py_T_BOOL, Py_T_OBJECT_EX = 16, Py_T_LONGLONG, Py_T_ULONGLONG, Py_T_PYSSIZET };
enum { T_SHORT, T_INT, T_LONG, T_FLOAT, T_DOUBLE, T_STRING, T_OBJECT, T_CHAR, T_BYTE, T_UBYTE, T_USHORT, T_UINT, T_ULONG, T_STRING_INPLACE, T_BOOL, T_OBJECT_EX = 16, T_LONGLONG, T_ULONGLONG, T_PYSSIZET, T_NONE };
enum { Py_bf_getbuffer = 1, Py_bf_releasebuffer, Py_mp_ass_subscript, Py_mp_length, Py_mp_subscript, Py_nb_absolute, Py_nb_add, Py_nb_and, Py_nb_bool, Py_nb_float = 11, Py_nb_index = 13, Py_nb_int = 25, Py_nb_invert = 27, Py_nb_multiply = 29, Py_nb_negative, Py_nb_or, Py_nb_subtract = 36, Py_nb_true_divide, Py_sq_ass_item = 39, Py_sq_concat, Py_sq_contains, Py_sq_item = 44, Py_sq_length, Py_sq_repeat,
  Py_tp_alloc = 47, Py_tp_base, Py_tp_bases, Py_tp_call, Py_tp_clear, Py_tp_dealloc, Py_tp_del, Py_tp_descr_get, Py_tp_descr_set, Py_tp_doc, Py_tp_getattr, Py_tp_getattro, Py_tp_hash, Py_tp_init, Py_tp_is_gc, Py_tp_iter, Py_tp_iternext, Py_tp_methods, Py_tp_new, Py_tp_repr, Py_tp_richcompare, Py_tp_setattr, Py_tp_setattro, Py_tp_str, Py_tp_traverse, Py_tp_members, Py_tp_getset, Py_tp_free, Py_am_await = 77, Py_tp_finalize = 80 };
enum { PyBUF_SIMPLE = 0, PyBUF_WRITABLE = 1, PyBUF_FORMAT = 4, PyBUF_ND = 8, PyBUF_STRIDES = 24, PyBUF_C_CONTIGUOUS = 56, PyBUF_F_CONTIGUOUS = 88, PyBUF_ANY_CONTIGUOUS = 152, PyBUF_INDIRECT = 280, PyBUF_CONTIG = 9, PyBUF_CONTIG_RO = 8, PyBUF_STRIDED = 25, PyBUF_STRIDED_RO = 24, PyBUF_RECORDS = 29, PyBUF_RECORDS_RO = 28, PyBUF_FULL = 285, PyBUF_FULL_RO = 284, PyBUF_READ = 0x100, PyBUF_WRITE = 0x200 };
#define PyTrace_CALL 0
#define PyTrace_EXCEPTION 1
#define PyTrace_LINE 2
#define PyTrace_RETURN 3
#define PyTrace_C_CALL 4
#define PyTrace_C_EXCEPTION 5
#define PyTrace_C_RETURN 6
#define PyTrace_OPCODE 7
#define CO_OPTIMIZED 0x1
#define CO_NEWLOCALS 0x2
#define CO_VARARGS 0x4
#define CO_VARKEYWORDS 0x8
#define CO_NESTED 0x10
#define CO_GENERATOR 0x20
#define CO_COROUTINE 0x80
#define CO_ITERABLE_COROUTINE 0x100
#define CO_ASYNC_GENERATOR 0x200
#define PY_VECTORCALL_ARGUMENTS_OFFSET ((size_t)1 << 63)
#define PyUnicode_1BYTE_KIND 1
#define PyUnicode_2BYTE_KIND 2
#define PyUnicode_4BYTE_KIND 4
typedef enum { PYGEN_RETURN = 0, PYGEN_ERROR = -1, PYGEN_NEXT = 1 } PySendResult;
typedef enum { PyGILState_LOCKED, PyGILState_UNLOCKED } PyGILState_STATE;
typedef enum { PY_LOCK_FAILURE, PY_LOCK_ACQUIRED, PY_LOCK_INTR } PyLockStatus;
typedef enum { PYMEM_DOMAIN_RAW, PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ } PyMemAllocatorDomain;
typedef struct { void* ctx; void* (*malloc)(void*, size_t); void* (*calloc)(void*, size_t, size_t); void* (*realloc)(void*, void*, size_t); void (*free)(void*, void*); } PyMemAllocatorEx;

// object layouts that sources look into
struct _longobject { PyVarObject ob_base; uint32_t ob_digit[1]; };
typedef struct { PyObject ob_base; double ob_fval; } PyFloatObject;
typedef struct { PyObject ob_base; Py_complex cval; } PyComplexObject;
typedef struct { PyVarObject ob_base; PyObject* ob_item[1]; } PyTupleObject;
typedef PyTupleObject PyStructSequence;
typedef struct { PyVarObject ob_base; PyObject** ob_item; Py_ssize_t allocated; } PyListObject;
typedef struct { PyObject ob_base; Py_ssize_t ma_used; uint64_t ma_version_tag; void* ma_keys; void* ma_values; } PyDictObject;
typedef struct { PyObject ob_base; Py_ssize_t fill, used; } PySetObject;
typedef struct { PyVarObject ob_base; Py_hash_t ob_shash; char ob_sval[1]; } PyBytesObject;
typedef struct { PyVarObject ob_base; Py_ssize_t ob_alloc; char *ob_bytes, *ob_start; } PyByteArrayObject;
typedef struct { PyObject ob_base; Py_ssize_t length; Py_hash_t hash; } PyASCIIObject;
typedef struct { PyASCIIObject _base; } PyUnicodeObject;
typedef struct { PyObject ob_base; PyObject *start, *stop, *step; } PySliceObject;
typedef struct { PyObject ob_base; PyMethodDef* m_ml; PyObject *m_self, *m_module, *m_weakreflist; vectorcallfunc vectorcall; } PyCFunctionObject;
typedef struct { PyObject ob_base; PyObject *func_globals, *func_builtins, *func_name, *func_qualname, *func_code, *func_defaults, *func_kwdefaults, *func_closure, *func_doc, *func_dict, *func_weakreflist, *func_module, *func_annotations; vectorcallfunc vectorcall; uint32_t func_version; } PyFunctionObject;
typedef struct { PyObject ob_base; PyObject *im_func, *im_self, *im_weakreflist; vectorcallfunc vectorcall; } PyMethodObject;
typedef struct { PyObject ob_base; PyObject* ob_ref; } PyCellObject;
typedef struct { PyObject ob_base; PyObject* md_dict; PyModuleDef* md_def; void* md_state; } PyModuleObject;
typedef struct { PyObject ob_base; PyTypeObject* d_type; PyObject *d_name, *d_qualname; } PyDescrObject;
typedef struct { PyDescrObject d_common; PyMethodDef* d_method; vectorcallfunc vectorcall; } PyMethodDescrObject;
typedef struct { PyDescrObject d_common; PyGetSetDef* d_getset; } PyGetSetDescrObject;
typedef struct { PyDescrObject d_common; PyMemberDef* d_member; } PyMemberDescrObject;
struct wrapperbase { const char* name; int offset; void* function; wrapperfunc wrapper; const char* doc; int flags; PyObject* name_strobj; };
typedef struct { PyDescrObject d_common; struct wrapperbase* d_base; void* d_wrapped; } PyWrapperDescrObject;
typedef struct _PyWeakReference { PyObject ob_base; PyObject *wr_object, *wr_callback; Py_hash_t hash; struct _PyWeakReference *wr_prev, *wr_next; } PyWeakReference;
typedef struct _traceback { PyObject ob_base; struct _traceback* tb_next; PyFrameObject* tb_frame; int tb_lasti, tb_lineno; } PyTracebackObject;
typedef struct { PyObject ob_base; PyObject *dict, *args, *notes, *traceback, *context, *cause; char suppress_context; } PyBaseExceptionObject;
typedef struct { PyBaseExceptionObject b; PyObject* value; } PyStopIterationObject;
typedef struct { PyObject ob_base; PyObject* gi_code; } PyGenObject;
struct PyCodeObject { PyVarObject ob_base; PyObject *co_consts, *co_names, *co_exceptiontable; int co_flags, co_argcount, co_posonlyargcount, co_kwonlyargcount, co_stacksize, co_firstlineno, co_nlocals, co_nlocalsplus, co_ncellvars, co_nfreevars, co_framesize; PyObject *co_localsplusnames, *co_localspluskinds, *co_filename, *co_name, *co_qualname, *co_linetable, *co_weakreflist, *co_code, *co_varnames, *co_freevars, *co_cellvars; void* co_extra; char co_code_adaptive[1]; };
struct _frame { PyObject ob_base; PyFrameObject* f_back; struct _PyInterpreterFrame* f_frame; PyObject *f_trace, *f_globals, *f_locals, *f_builtins; PyCodeObject* f_code; int f_lineno, f_lasti; char f_trace_lines, f_trace_opcodes; };
typedef struct _err_stackitem { PyObject *exc_value, *exc_type, *exc_traceback; struct _err_stackitem* previous_item; } _PyErr_StackItem;
typedef struct { struct _PyInterpreterFrame* current_frame; int use_tracing; } _PyCFrame;
struct _ts { PyThreadState *prev, *next; PyInterpreterState* interp; PyFrameObject* frame; _PyCFrame* cframe; struct _PyInterpreterFrame* current_frame; int recursion_remaining, recursion_limit, recursion_depth, tracing, use_tracing; Py_tracefunc c_profilefunc, c_tracefunc; PyObject *c_profileobj, *c_traceobj, *curexc_type, *curexc_value, *curexc_traceback, *current_exception; _PyErr_StackItem* exc_info; PyObject* dict; int gilstate_counter; PyObject* async_exc; unsigned long thread_id; uint64_t id; PyObject* context; };
typedef struct PyStructSequence_Field { const char *name, *doc; } PyStructSequence_Field;
typedef struct PyStructSequence_Desc { const char *name, *doc; PyStructSequence_Field* fields; int n_in_sequence; } PyStructSequence_Desc;
typedef struct { int cf_flags, cf_feature_version; } PyCompilerFlags;
typedef struct { int _type; const char *func, *err_msg; int exitcode; } PyStatus;
typedef struct { int isolated, use_environment, parse_argv, utf8_mode, dev_mode, configure_locale; } PyPreConfig;
typedef struct { Py_ssize_t length; wchar_t** items; } PyWideStringList;
typedef struct { int isolated, use_environment, dev_mode, install_signal_handlers, parse_argv, site_import, verbose, module_search_paths_set; wchar_t *program_name, *home, *executable, *pythonpath_env, *run_command; PyWideStringList argv, module_search_paths; } PyConfig;
typedef struct { int use_main_obmalloc, allow_fork, allow_exec, allow_threads, allow_daemon_threads, check_multi_interp_extensions, gil; } PyInterpreterConfig;
#define PyInterpreterConfig_DEFAULT_GIL 0
#define PyInterpreterConfig_SHARED_GIL 1
#define PyInterpreterConfig_OWN_GIL 2
struct _inittab { const char* name; PyObject* (*initfunc)(void); };
typedef struct { uint8_t _bits; } PyMutex;
typedef struct { uintptr_t _cs_prev; PyMutex* _cs_mutex; } PyCriticalSection;
typedef struct { PyCriticalSection _cs_base; PyMutex* _cs_mutex2; } PyCriticalSection2;
typedef struct _Py_tss_t { int _is_initialized; unsigned int _key; } Py_tss_t;
#define Py_tss_NEEDS_INIT { 0 }
typedef void* PyThread_type_lock;
typedef void* PyThread_type_sema;
typedef unsigned long PyThread_ident_t;
typedef struct _PyUnicodeWriter _PyUnicodeWriter;

#ifdef __cplusplus
extern "C" {
#endif
extern PyObject _Py_NoneStruct, _Py_EllipsisObject, _Py_NotImplementedStruct; extern struct _longobject _Py_TrueStruct, _Py_FalseStruct;
#define Py_None (&_Py_NoneStruct)
#define Py_Ellipsis (&_Py_EllipsisObject)
#define Py_NotImplemented (&_Py_NotImplementedStruct)
#define Py_True ((PyObject*)&_Py_TrueStruct)
#define Py_False ((PyObject*)&_Py_FalseStruct)
#define Py_RETURN_NONE return Py_NewRef(Py_None)
#define Py_RETURN_TRUE return Py_NewRef(Py_True)
#define Py_RETURN_FALSE return Py_NewRef(Py_False)
#define Py_RETURN_NOTIMPLEMENTED return Py_NewRef(Py_NotImplemented)
#define Py_RETURN_NAN return PyFloat_FromDouble(Py_NAN)
#define Py_RETURN_RICHCOMPARE(a, b, op) return PyBool_FromLong((op) == Py_EQ ? (a) == (b) : (op) == Py_NE ? (a) != (b) : (op) == Py_LT ? (a) < (b) : (a) > (b))
#define Py_VISIT(op) do { if (visit((PyObject*)(op), arg)) return 1; } while (0)

// reference counts (functions here: any object pointer is accepted)
void Py_INCREF(const void* op); void Py_DECREF(const void* op); void Py_XINCREF(const void* op); void Py_XDECREF(const void* op); void Py_IncRef(PyObject*); void Py_DecRef(PyObject*); PyObject* Py_NewRef(const void* op); PyObject* Py_XNewRef(const void* op);
void _Py_Dealloc(PyObject*); void _Py_NewReference(PyObject*); void _Py_ForgetReference(PyObject*); void _Py_INCREF(PyObject*); void _Py_DECREF(PyObject*);
Py_ssize_t Py_REFCNT(const void* op); void Py_SET_REFCNT(const void* op, Py_ssize_t n); PyTypeObject* Py_TYPE(const void* op); void Py_SET_TYPE(const void* op, PyTypeObject* t); Py_ssize_t Py_SIZE(const void* op); void Py_SET_SIZE(const void* op, Py_ssize_t n);
int Py_IS_TYPE(const void* op, const PyTypeObject* t); int Py_Is(const void* a, const void* b); int Py_IsNone(const void*); int Py_IsTrue(const void*); int Py_IsFalse(const void*); int _Py_IsImmortal(const void*); PyObject* Py_GetConstant(unsigned int);
#define Py_is(a, b) Py_Is(a, b)
// objects
#define LOSTUB_PYTYPE(P) extern PyTypeObject P##_Type; int P##_Check(const void* o); int P##_CheckExact(const void* o);
LOSTUB_PYTYPE(PyLong) LOSTUB_PYTYPE(PyFloat) LOSTUB_PYTYPE(PyComplex) LOSTUB_PYTYPE(PyBool) LOSTUB_PYTYPE(PyUnicode) LOSTUB_PYTYPE(PyBytes) LOSTUB_PYTYPE(PyByteArray) LOSTUB_PYTYPE(PyTuple) LOSTUB_PYTYPE(PyList) LOSTUB_PYTYPE(PyDict) LOSTUB_PYTYPE(PySet) LOSTUB_PYTYPE(PyFrozenSet) LOSTUB_PYTYPE(PySlice)
LOSTUB_PYTYPE(PyModule) LOSTUB_PYTYPE(PyCapsule) LOSTUB_PYTYPE(PyCFunction) LOSTUB_PYTYPE(PyCMethod) LOSTUB_PYTYPE(PyFunction) LOSTUB_PYTYPE(PyMethod) LOSTUB_PYTYPE(PyInstanceMethod) LOSTUB_PYTYPE(PyCode) LOSTUB_PYTYPE(PyFrame) LOSTUB_PYTYPE(PyCell) LOSTUB_PYTYPE(PyGen) LOSTUB_PYTYPE(PyCoro) LOSTUB_PYTYPE(PyAsyncGen) LOSTUB_PYTYPE(PyTraceBack) LOSTUB_PYTYPE(PyMemoryView) LOSTUB_PYTYPE(PyType)
LOSTUB_PYTYPE(PyProperty) LOSTUB_PYTYPE(PyStaticMethod) LOSTUB_PYTYPE(PyClassMethod) LOSTUB_PYTYPE(PyDictProxy) LOSTUB_PYTYPE(PyEnum) LOSTUB_PYTYPE(PyRange) LOSTUB_PYTYPE(PyReversed) LOSTUB_PYTYPE(PyODict) LOSTUB_PYTYPE(PyContext) LOSTUB_PYTYPE(PyContextVar) LOSTUB_PYTYPE(PyContextToken) LOSTUB_PYTYPE(PyDictKeys) LOSTUB_PYTYPE(PyDictValues) LOSTUB_PYTYPE(PyDictItems)
extern PyTypeObject PyBaseObject_Type, PySuper_Type, PyMethodDescr_Type, PyGetSetDescr_Type, PyMemberDescr_Type, PyWrapperDescr_Type, PyClassMethodDescr_Type, PySeqIter_Type, PyCallIter_Type, PyTupleIter_Type, PyListIter_Type, PyDictIterKey_Type, PyDictIterItem_Type, PyDictIterValue_Type, PySetIter_Type, PyEllipsis_Type, _PyNone_Type, _PyNotImplemented_Type, PyFilter_Type, PyMap_Type, PyZip_Type, _PyWeakref_RefType, _PyWeakref_ProxyType, _PyWeakref_CallableProxyType, PyODictIter_Type, Py_GenericAliasType, PyPickleBuffer_Type, _PyMethodWrapper_Type, _PyNamespace_Type;
int PyIndex_Check(PyObject*); int PyIter_Check(PyObject*); int PyNumber_Check(PyObject*); int PySequence_Check(PyObject*); int PyMapping_Check(PyObject*); int PyCallable_Check(PyObject*); int PyAnySet_Check(const void*); int PyAnySet_CheckExact(const void*); int PyDictViewSet_Check(const void*); int PyWeakref_Check(const void*); int PyWeakref_CheckRef(const void*); int PyWeakref_CheckRefExact(const void*); int PyWeakref_CheckProxy(const void*); int PyExceptionClass_Check(const void*); int PyExceptionInstance_Check(const void*); int PyStructSequence_Check(const void*); int PyAwaitable_Check(PyObject*); int PyAIter_Check(PyObject*); int PyDescr_IsData(PyObject*); int PyCallIter_Check(const void*); int PySeqIter_Check(const void*);
int PyObject_TypeCheck(const void* o, PyTypeObject* t); int PyObject_IsInstance(PyObject*, PyObject*); int PyObject_IsSubclass(PyObject*, PyObject*); int PyObject_IsTrue(PyObject*); int PyObject_Not(PyObject*);
PyObject* PyObject_GetAttr(PyObject*, PyObject*); PyObject* PyObject_GetAttrString(PyObject*, const char*); int PyObject_GetOptionalAttr(PyObject*, PyObject*, PyObject**); int PyObject_GetOptionalAttrString(PyObject*, const char*, PyObject**); int PyObject_SetAttr(PyObject*, PyObject*, PyObject*); int PyObject_SetAttrString(PyObject*, const char*, PyObject*); int PyObject_DelAttr(PyObject*, PyObject*); int PyObject_DelAttrString(PyObject*, const char*); int PyObject_HasAttr(PyObject*, PyObject*); int PyObject_HasAttrString(PyObject*, const char*); int PyObject_HasAttrWithError(PyObject*, PyObject*); int PyObject_HasAttrStringWithError(PyObject*, const char*);
PyObject* PyObject_GenericGetAttr(PyObject*, PyObject*); int PyObject_GenericSetAttr(PyObject*, PyObject*, PyObject*); PyObject* PyObject_GenericGetDict(PyObject*, void*); int PyObject_GenericSetDict(PyObject*, PyObject*, void*); PyObject** _PyObject_GetDictPtr(PyObject*); PyObject* PyObject_SelfIter(PyObject*); PyObject* _PyObject_NextNotImplemented(PyObject*); PyObject* _PyObject_GetAttrId(PyObject*, void*); int _PyObject_LookupAttr(PyObject*, PyObject*, PyObject**); PyObject* _PyObject_CallMethodId(PyObject*, void*, const char*, ...); PyObject* _PyType_Lookup(PyTypeObject*, PyObject*);
PyObject* PyObject_GetItem(PyObject*, PyObject*); int PyObject_SetItem(PyObject*, PyObject*, PyObject*); int PyObject_DelItem(PyObject*, PyObject*); int PyObject_DelItemString(PyObject*, const char*); PyObject* PyObject_GetIter(PyObject*); PyObject* PyObject_GetAIter(PyObject*); Py_ssize_t PyObject_Size(PyObject*); Py_ssize_t PyObject_Length(PyObject*); Py_ssize_t PyObject_LengthHint(PyObject*, Py_ssize_t);
PyObject* PyObject_Repr(PyObject*); PyObject* PyObject_Str(PyObject*); PyObject* PyObject_ASCII(PyObject*); PyObject* PyObject_Bytes(PyObject*); PyObject* PyObject_Dir(PyObject*); PyObject* PyObject_Type(PyObject*); PyObject* PyObject_Format(PyObject*, PyObject*); int PyObject_Print(PyObject*, FILE*, int); Py_hash_t PyObject_Hash(PyObject*); Py_hash_t PyObject_HashNotImplemented(PyObject*); PyObject* PyObject_RichCompare(PyObject*, PyObject*, int); int PyObject_RichCompareBool(PyObject*, PyObject*, int); int PyObject_AsFileDescriptor(PyObject*);
PyObject* PyObject_Call(PyObject*, PyObject*, PyObject*); PyObject* PyObject_CallObject(PyObject*, PyObject*); PyObject* PyObject_CallNoArgs(PyObject*); PyObject* PyObject_CallOneArg(PyObject*, PyObject*); PyObject* PyObject_CallFunction(PyObject*, const char*, ...); PyObject* PyObject_CallMethod(PyObject*, const char*, const char*, ...); PyObject* PyObject_CallFunctionObjArgs(PyObject*, ...); PyObject* PyObject_CallMethodObjArgs(PyObject*, PyObject*, ...); PyObject* PyObject_CallMethodNoArgs(PyObject*, PyObject*); PyObject* PyObject_CallMethodOneArg(PyObject*, PyObject*, PyObject*);
PyObject* PyObject_Vectorcall(PyObject*, PyObject* const*, size_t, PyObject*); PyObject* PyObject_VectorcallDict(PyObject*, PyObject* const*, size_t, PyObject*); PyObject* PyObject_VectorcallMethod(PyObject*, PyObject* const*, size_t, PyObject*); PyObject* PyVectorcall_Call(PyObject*, PyObject*, PyObject*); Py_ssize_t PyVectorcall_NARGS(size_t); vectorcallfunc PyVectorcall_Function(PyObject*); PyObject* _PyObject_Vectorcall(PyObject*, PyObject* const*, size_t, PyObject*); PyObject* _PyObject_CallNoArg(PyObject*); PyObject* _PyObject_FastCall(PyObject*, PyObject* const*, Py_ssize_t); PyObject* PyEval_CallObjectWithKeywords(PyObject*, PyObject*, PyObject*); PyObject* PyEval_CallFunction(PyObject*, const char*, ...); PyObject* PyEval_CallMethod(PyObject*, const char*, const char*, ...); PyObject* PyEval_CallObject(PyObject*, PyObject*);
void* PyObject_Malloc(size_t); void* PyObject_Calloc(size_t, size_t); void* PyObject_Realloc(void*, size_t); void PyObject_Free(void*); void* PyMem_Malloc(size_t); void* PyMem_Calloc(size_t, size_t); void* PyMem_Realloc(void*, size_t); void PyMem_Free(void*); void* PyMem_RawMalloc(size_t); void* PyMem_RawCalloc(size_t, size_t); void* PyMem_RawRealloc(void*, size_t); void PyMem_RawFree(void*); void PyMem_GetAllocator(PyMemAllocatorDomain, PyMemAllocatorEx*); void PyMem_SetAllocator(PyMemAllocatorDomain, PyMemAllocatorEx*); void PyMem_Del(void*); void PyObject_Del(void*); void PyObject_FREE(void*);
#define PyMem_New(T, n) ((T*)PyMem_Malloc((n) * sizeof(T)))
#define PyMem_NEW(T, n) PyMem_New(T, n)
#define PyMem_Resize(p, T, n) ((p) = (T*)PyMem_Realloc((p), (n) * sizeof(T)))
#define PyMem_FREE PyMem_Free
#define PyMem_MALLOC PyMem_Malloc
PyObject* _PyObject_New(PyTypeObject*); PyVarObject* _PyObject_NewVar(PyTypeObject*, Py_ssize_t); PyObject* PyObject_Init(PyObject*, PyTypeObject*); PyVarObject* PyObject_InitVar(PyVarObject*, PyTypeObject*, Py_ssize_t); PyObject* _PyObject_GC_New(PyTypeObject*); PyVarObject* _PyObject_GC_NewVar(PyTypeObject*, Py_ssize_t);
#define PyObject_New(T, t) ((T*)_PyObject_New(t))
#define PyObject_NEW(T, t) PyObject_New(T, t)
#define PyObject_NewVar(T, t, n) ((T*)_PyObject_NewVar(t, n))
#define PyObject_GC_New(T, t) ((T*)_PyObject_GC_New(t))
#define PyObject_GC_NewVar(T, t, n) ((T*)_PyObject_GC_NewVar(t, n))
#define PyObject_INIT(o, t) PyObject_Init((PyObject*)(o), t)
void PyObject_GC_Track(void*); void PyObject_GC_UnTrack(void*); void PyObject_GC_Del(void*); int PyObject_GC_IsTracked(PyObject*); int PyObject_GC_IsFinalized(PyObject*); int PyObject_IS_GC(PyObject*); Py_ssize_t PyGC_Collect(void); int PyGC_Enable(void); int PyGC_Disable(void); int PyGC_IsEnabled(void); int PyType_IS_GC(PyTypeObject*);
void PyObject_ClearWeakRefs(PyObject*); PyObject** PyObject_GET_WEAKREFS_LISTPTR(const void*); void PyObject_CallFinalizer(PyObject*); int PyObject_CallFinalizerFromDealloc(PyObject*); int PyObject_VisitManagedDict(PyObject*, visitproc, void*); void PyObject_ClearManagedDict(PyObject*); void _PyObject_GC_TRACK(PyObject*); void _PyObject_GC_UNTRACK(PyObject*); int PyObject_CheckReadBuffer(PyObject*);
#define Py_TRASHCAN_BEGIN(op, dealloc)
#define Py_TRASHCAN_END
int PyObject_CheckBuffer(PyObject*); int PyObject_GetBuffer(PyObject*, Py_buffer*, int); void PyBuffer_Release(Py_buffer*); int PyBuffer_IsContiguous(const Py_buffer*, char); int PyBuffer_FillInfo(Py_buffer*, PyObject*, void*, Py_ssize_t, int, int); int PyBuffer_ToContiguous(void*, const Py_buffer*, Py_ssize_t, char); Py_ssize_t PyBuffer_SizeFromFormat(const char*); void* PyBuffer_GetPointer(const Py_buffer*, const Py_ssize_t*); int PyBuffer_FromContiguous(const Py_buffer*, const void*, Py_ssize_t, char); PyObject* PyBuffer_FromReadWriteMemory(void*, Py_ssize_t); PyObject* PyBuffer_FromMemory(void*, Py_ssize_t);
PyObject* PyMemoryView_FromMemory(char*, Py_ssize_t, int); PyObject* PyMemoryView_FromObject(PyObject*); PyObject* PyMemoryView_FromBuffer(const Py_buffer*); PyObject* PyMemoryView_GetContiguous(PyObject*, int, char); Py_buffer* PyMemoryView_GET_BUFFER(const void*); PyObject* PyMemoryView_GET_BASE(const void*); PyObject* PyPickleBuffer_FromObject(PyObject*); const Py_buffer* PyPickleBuffer_GetBuffer(PyObject*); int PyPickleBuffer_Release(PyObject*);
// types
int PyType_Ready(PyTypeObject*); int PyType_IsSubtype(PyTypeObject*, PyTypeObject*); PyObject* PyType_GenericAlloc(PyTypeObject*, Py_ssize_t); PyObject* PyType_GenericNew(PyTypeObject*, PyObject*, PyObject*); PyObject* PyType_FromSpec(PyType_Spec*); PyObject* PyType_FromSpecWithBases(PyType_Spec*, PyObject*); PyObject* PyType_FromModuleAndSpec(PyObject*, PyType_Spec*, PyObject*); PyObject* PyType_FromMetaclass(PyTypeObject*, PyObject*, PyType_Spec*, PyObject*); void* PyType_GetSlot(PyTypeObject*, int); unsigned long PyType_GetFlags(PyTypeObject*); void PyType_Modified(PyTypeObject*); int PyType_HasFeature(PyTypeObject*, unsigned long); int PyType_FastSubclass(PyTypeObject*, unsigned long); PyObject* PyType_GetName(PyTypeObject*); PyObject* PyType_GetQualName(PyTypeObject*); PyObject* PyType_GetFullyQualifiedName(PyTypeObject*); PyObject* PyType_GetModuleName(PyTypeObject*); PyObject* PyType_GetModule(PyTypeObject*); PyObject* PyType_GetModuleByDef(PyTypeObject*, PyModuleDef*); void* PyType_GetModuleState(PyTypeObject*); PyObject* PyType_GetDict(PyTypeObject*); unsigned int PyType_ClearCache(void); int PyType_SUPPORTS_WEAKREFS(PyTypeObject*); void* PyObject_GetTypeData(PyObject*, PyTypeObject*); int PyUnstable_Type_AssignVersionTag(PyTypeObject*); const char* _PyType_Name(PyTypeObject*); PyObject* PyStaticMethod_New(PyObject*); PyObject* PyClassMethod_New(PyObject*);
// numbers
#define LOSTUB_NUM2(n) PyObject* PyNumber_##n(PyObject*, PyObject*);
LOSTUB_NUM2(Add) LOSTUB_NUM2(Subtract) LOSTUB_NUM2(Multiply) LOSTUB_NUM2(MatrixMultiply) LOSTUB_NUM2(FloorDivide) LOSTUB_NUM2(TrueDivide) LOSTUB_NUM2(Remainder) LOSTUB_NUM2(Divmod) LOSTUB_NUM2(Lshift) LOSTUB_NUM2(Rshift) LOSTUB_NUM2(And) LOSTUB_NUM2(Xor) LOSTUB_NUM2(Or)
LOSTUB_NUM2(InPlaceAdd) LOSTUB_NUM2(InPlaceSubtract) LOSTUB_NUM2(InPlaceMultiply) LOSTUB_NUM2(InPlaceMatrixMultiply) LOSTUB_NUM2(InPlaceFloorDivide) LOSTUB_NUM2(InPlaceTrueDivide) LOSTUB_NUM2(InPlaceRemainder) LOSTUB_NUM2(InPlaceLshift) LOSTUB_NUM2(InPlaceRshift) LOSTUB_NUM2(InPlaceAnd) LOSTUB_NUM2(InPlaceXor) LOSTUB_NUM2(InPlaceOr)
#undef LOSTUB_NUM2
PyObject* PyNumber_Power(PyObject*, PyObject*, PyObject*); PyObject* PyNumber_InPlacePower(PyObject*, PyObject*, PyObject*); PyObject* PyNumber_Negative(PyObject*); PyObject* PyNumber_Positive(PyObject*); PyObject* PyNumber_Absolute(PyObject*); PyObject* PyNumber_Invert(PyObject*); PyObject* PyNumber_Long(PyObject*); PyObject* PyNumber_Float(PyObject*); PyObject* PyNumber_Index(PyObject*); PyObject* PyNumber_ToBase(PyObject*, int); Py_ssize_t PyNumber_AsSsize_t(PyObject*, PyObject*);
PyObject* PyBool_FromLong(long); PyObject* PyLong_FromLong(long); PyObject* PyLong_FromUnsignedLong(unsigned long); PyObject* PyLong_FromLongLong(long long); PyObject* PyLong_FromUnsignedLongLong(unsigned long long); PyObject* PyLong_FromSize_t(size_t); PyObject* PyLong_FromSsize_t(Py_ssize_t); PyObject* PyLong_FromDouble(double); PyObject* PyLong_FromVoidPtr(void*); PyObject* PyLong_FromString(const char*, char**, int); PyObject* PyLong_FromUnicodeObject(PyObject*, int); PyObject* PyLong_FromNativeBytes(const void*, size_t, int); PyObject* _PyLong_FromByteArray(const unsigned char*, size_t, int, int); int _PyLong_AsByteArray(PyLongObject*, unsigned char*, size_t, int, int, int); Py_ssize_t PyLong_AsNativeBytes(PyObject*, void*, Py_ssize_t, int);
long PyLong_AsLong(PyObject*); int PyLong_AsInt(PyObject*); int _PyLong_AsInt(PyObject*); unsigned long PyLong_AsUnsignedLong(PyObject*); unsigned long PyLong_AsUnsignedLongMask(PyObject*); long long PyLong_AsLongLong(PyObject*); unsigned long long PyLong_AsUnsignedLongLong(PyObject*); unsigned long long PyLong_AsUnsignedLongLongMask(PyObject*); long PyLong_AsLongAndOverflow(PyObject*, int*); long long PyLong_AsLongLongAndOverflow(PyObject*, int*); size_t PyLong_AsSize_t(PyObject*); Py_ssize_t PyLong_AsSsize_t(PyObject*); double PyLong_AsDouble(PyObject*); void* PyLong_AsVoidPtr(PyObject*); PyObject* PyLong_GetInfo(void); int _PyLong_Sign(PyObject*); size_t _PyLong_NumBits(PyObject*); int PyUnstable_Long_IsCompact(const PyLongObject*); Py_ssize_t PyUnstable_Long_CompactValue(const PyLongObject*);
PyObject* PyFloat_FromDouble(double); PyObject* PyFloat_FromString(PyObject*); double PyFloat_AsDouble(PyObject*); double PyFloat_AS_DOUBLE(const void*); double PyFloat_GetMax(void); double PyFloat_GetMin(void); PyObject* PyFloat_GetInfo(void); int PyFloat_Pack8(double, char*, int); double PyFloat_Unpack8(const char*, int); PyObject* PyComplex_FromDoubles(double, double); PyObject* PyComplex_FromCComplex(Py_complex); double PyComplex_RealAsDouble(PyObject*); double PyComplex_ImagAsDouble(PyObject*); Py_complex PyComplex_AsCComplex(PyObject*);
// sequences, mappings, iterators
Py_ssize_t PySequence_Size(PyObject*); Py_ssize_t PySequence_Length(PyObject*); PyObject* PySequence_Concat(PyObject*, PyObject*); PyObject* PySequence_Repeat(PyObject*, Py_ssize_t); PyObject* PySequence_GetItem(PyObject*, Py_ssize_t); PyObject* PySequence_GetSlice(PyObject*, Py_ssize_t, Py_ssize_t); int PySequence_SetItem(PyObject*, Py_ssize_t, PyObject*); int PySequence_DelItem(PyObject*, Py_ssize_t); int PySequence_SetSlice(PyObject*, Py_ssize_t, Py_ssize_t, PyObject*); int PySequence_DelSlice(PyObject*, Py_ssize_t, Py_ssize_t); PyObject* PySequence_Tuple(PyObject*); PyObject* PySequence_List(PyObject*); PyObject* PySequence_Fast(PyObject*, const char*); Py_ssize_t PySequence_Count(PyObject*, PyObject*); int PySequence_Contains(PyObject*, PyObject*); int PySequence_In(PyObject*, PyObject*); Py_ssize_t PySequence_Index(PyObject*, PyObject*); PyObject* PySequence_InPlaceConcat(PyObject*, PyObject*); PyObject* PySequence_InPlaceRepeat(PyObject*, Py_ssize_t); Py_ssize_t PySequence_Fast_GET_SIZE(const void*); PyObject* PySequence_Fast_GET_ITEM(const void*, Py_ssize_t); PyObject** PySequence_Fast_ITEMS(const void*); PyObject* PySequence_ITEM(PyObject*, Py_ssize_t);
Py_ssize_t PyMapping_Size(PyObject*); Py_ssize_t PyMapping_Length(PyObject*); int PyMapping_HasKey(PyObject*, PyObject*); int PyMapping_HasKeyString(PyObject*, const char*); int PyMapping_HasKeyWithError(PyObject*, PyObject*); PyObject* PyMapping_Keys(PyObject*); PyObject* PyMapping_Values(PyObject*); PyObject* PyMapping_Items(PyObject*); PyObject* PyMapping_GetItemString(PyObject*, const char*); int PyMapping_GetOptionalItem(PyObject*, PyObject*, PyObject**); int PyMapping_GetOptionalItemString(PyObject*, const char*, PyObject**); int PyMapping_SetItemString(PyObject*, const char*, PyObject*); int PyMapping_DelItem(PyObject*, PyObject*); int PyMapping_DelItemString(PyObject*, const char*);
PyObject* PyIter_Next(PyObject*); PySendResult PyIter_Send(PyObject*, PyObject*, PyObject**); PyObject* PySeqIter_New(PyObject*); PyObject* PyCallIter_New(PyObject*, PyObject*); PyObject* PyGen_New(PyFrameObject*); PyObject* PyCoro_New(PyFrameObject*, PyObject*, PyObject*);
PyObject* PyTuple_New(Py_ssize_t); PyObject* PyTuple_Pack(Py_ssize_t, ...); Py_ssize_t PyTuple_Size(PyObject*); Py_ssize_t PyTuple_GET_SIZE(const void*); PyObject* PyTuple_GetItem(PyObject*, Py_ssize_t); PyObject* PyTuple_GetSlice(PyObject*, Py_ssize_t, Py_ssize_t); int PyTuple_SetItem(PyObject*, Py_ssize_t, PyObject*); void PyTuple_SET_ITEM(const void*, Py_ssize_t, PyObject*); int _PyTuple_Resize(PyObject**, Py_ssize_t);
PyObject* PyList_New(Py_ssize_t); Py_ssize_t PyList_Size(PyObject*); Py_ssize_t PyList_GET_SIZE(const void*); PyObject* PyList_GetItem(PyObject*, Py_ssize_t); PyObject* PyList_GetItemRef(PyObject*, Py_ssize_t); int PyList_SetItem(PyObject*, Py_ssize_t, PyObject*); void PyList_SET_ITEM(const void*, Py_ssize_t, PyObject*); int PyList_Insert(PyObject*, Py_ssize_t, PyObject*); int PyList_Append(PyObject*, PyObject*); int PyList_Extend(PyObject*, PyObject*); int PyList_Clear(PyObject*); PyObject* PyList_GetSlice(PyObject*, Py_ssize_t, Py_ssize_t); int PyList_SetSlice(PyObject*, Py_ssize_t, Py_ssize_t, PyObject*); int PyList_Sort(PyObject*); int PyList_Reverse(PyObject*); PyObject* PyList_AsTuple(PyObject*);
PyObject* PyDict_New(void); PyObject* PyDict_GetItem(PyObject*, PyObject*); PyObject* PyDict_GetItemWithError(PyObject*, PyObject*); PyObject* PyDict_GetItemString(PyObject*, const char*); int PyDict_GetItemRef(PyObject*, PyObject*, PyObject**); int PyDict_GetItemStringRef(PyObject*, const char*, PyObject**); int PyDict_SetItem(PyObject*, PyObject*, PyObject*); int PyDict_SetItemString(PyObject*, const char*, PyObject*); int PyDict_DelItem(PyObject*, PyObject*); int PyDict_DelItemString(PyObject*, const char*); void PyDict_Clear(PyObject*); int PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**); PyObject* PyDict_Keys(PyObject*); PyObject* PyDict_Values(PyObject*); PyObject* PyDict_Items(PyObject*); Py_ssize_t PyDict_Size(PyObject*); Py_ssize_t PyDict_GET_SIZE(const void*); PyObject* PyDict_Copy(PyObject*); int PyDict_Contains(PyObject*, PyObject*); int PyDict_ContainsString(PyObject*, const char*); int PyDict_Update(PyObject*, PyObject*); int PyDict_Merge(PyObject*, PyObject*, int); int PyDict_MergeFromSeq2(PyObject*, PyObject*, int); PyObject* PyDict_SetDefault(PyObject*, PyObject*, PyObject*); int PyDict_SetDefaultRef(PyObject*, PyObject*, PyObject*, PyObject**); int PyDict_Pop(PyObject*, PyObject*, PyObject**); int PyDict_PopString(PyObject*, const char*, PyObject**); PyObject* PyDictProxy_New(PyObject*); PyObject* _PyDict_NewPresized(Py_ssize_t); PyObject* _PyDict_GetItem_KnownHash(PyObject*, PyObject*, Py_hash_t); int _PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**, Py_hash_t*); PyObject* _PyDict_Pop(PyObject*, PyObject*, PyObject*); PyObject* PyODict_New(void); typedef int (*PyDict_WatchCallback)(int, PyObject*, PyObject*, PyObject*); typedef int PyDict_WatchEvent; int PyDict_AddWatcher(PyDict_WatchCallback); int PyDict_ClearWatcher(int); int PyDict_Watch(int, PyObject*); int PyDict_Unwatch(int, PyObject*);
PyObject* PySet_New(PyObject*); PyObject* PyFrozenSet_New(PyObject*); Py_ssize_t PySet_Size(PyObject*); Py_ssize_t PySet_GET_SIZE(const void*); int PySet_Contains(PyObject*, PyObject*); int PySet_Add(PyObject*, PyObject*); int PySet_Discard(PyObject*, PyObject*); PyObject* PySet_Pop(PyObject*); int PySet_Clear(PyObject*); int _PySet_NextEntry(PyObject*, Py_ssize_t*, PyObject**, Py_hash_t*);
PyObject* PySlice_New(PyObject*, PyObject*, PyObject*); int PySlice_GetIndices(PyObject*, Py_ssize_t, Py_ssize_t*, Py_ssize_t*, Py_ssize_t*); int PySlice_GetIndicesEx(PyObject*, Py_ssize_t, Py_ssize_t*, Py_ssize_t*, Py_ssize_t*, Py_ssize_t*); int PySlice_Unpack(PyObject*, Py_ssize_t*, Py_ssize_t*, Py_ssize_t*); Py_ssize_t PySlice_AdjustIndices(Py_ssize_t, Py_ssize_t*, Py_ssize_t*, Py_ssize_t); int _PyEval_SliceIndex(PyObject*, Py_ssize_t*);
PyTypeObject* PyStructSequence_NewType(PyStructSequence_Desc*); int PyStructSequence_InitType2(PyTypeObject*, PyStructSequence_Desc*); void PyStructSequence_InitType(PyTypeObject*, PyStructSequence_Desc*); PyObject* PyStructSequence_New(PyTypeObject*); void PyStructSequence_SetItem(PyObject*, Py_ssize_t, PyObject*); PyObject* PyStructSequence_GetItem(PyObject*, Py_ssize_t); void PyStructSequence_SET_ITEM(PyObject*, Py_ssize_t, PyObject*); PyObject* PyStructSequence_GET_ITEM(PyObject*, Py_ssize_t); extern const char* const PyStructSequence_UnnamedField;
// strings and bytes
PyObject* PyUnicode_FromString(const char*); PyObject* PyUnicode_FromStringAndSize(const char*, Py_ssize_t); PyObject* PyUnicode_FromFormat(const char*, ...); PyObject* PyUnicode_FromFormatV(const char*, va_list); PyObject* PyUnicode_FromObject(PyObject*); PyObject* PyUnicode_FromWideChar(const wchar_t*, Py_ssize_t); PyObject* PyUnicode_FromKindAndData(int, const void*, Py_ssize_t); PyObject* PyUnicode_FromEncodedObject(PyObject*, const char*, const char*); PyObject* PyUnicode_FromOrdinal(int); PyObject* PyUnicode_New(Py_ssize_t, Py_UCS4); const char* PyUnicode_AsUTF8(PyObject*); const char* PyUnicode_AsUTF8AndSize(PyObject*, Py_ssize_t*); PyObject* PyUnicode_AsUTF8String(PyObject*); PyObject* PyUnicode_AsASCIIString(PyObject*); PyObject* PyUnicode_AsLatin1String(PyObject*); PyObject* PyUnicode_AsEncodedString(PyObject*, const char*, const char*); wchar_t* PyUnicode_AsWideCharString(PyObject*, Py_ssize_t*); Py_ssize_t PyUnicode_AsWideChar(PyObject*, wchar_t*, Py_ssize_t); PyObject* PyUnicode_Decode(const char*, Py_ssize_t, const char*, const char*); PyObject* PyUnicode_DecodeUTF8(const char*, Py_ssize_t, const char*); PyObject* PyUnicode_DecodeLatin1(const char*, Py_ssize_t, const char*); PyObject* PyUnicode_DecodeASCII(const char*, Py_ssize_t, const char*); PyObject* PyUnicode_DecodeUTF16(const char*, Py_ssize_t, const char*, int*); PyObject* PyUnicode_DecodeUTF32(const char*, Py_ssize_t, const char*, int*); PyObject* PyUnicode_DecodeLocale(const char*, const char*); PyObject* PyUnicode_DecodeFSDefault(const char*); PyObject* PyUnicode_DecodeFSDefaultAndSize(const char*, Py_ssize_t); PyObject* PyUnicode_EncodeFSDefault(PyObject*); int PyUnicode_FSConverter(PyObject*, void*); int PyUnicode_FSDecoder(PyObject*, void*); PyObject* PyUnicode_EncodeLocale(PyObject*, const char*); PyObject* PyUnicode_AsUnicodeEscapeString(PyObject*); PyObject* PyUnicode_EncodeUTF8(const Py_UNICODE*, Py_ssize_t, const char*);
Py_ssize_t PyUnicode_GetLength(PyObject*); Py_ssize_t PyUnicode_GET_LENGTH(const void*); Py_ssize_t PyUnicode_GET_SIZE(const void*); Py_ssize_t PyUnicode_GetSize(PyObject*); int PyUnicode_KIND(const void*); void* PyUnicode_DATA(const void*); Py_UCS1* PyUnicode_1BYTE_DATA(const void*); Py_UCS2* PyUnicode_2BYTE_DATA(const void*); Py_UCS4* PyUnicode_4BYTE_DATA(const void*); int PyUnicode_READY(const void*); int PyUnicode_IS_READY(const void*); int PyUnicode_IS_ASCII(const void*); int PyUnicode_IS_COMPACT_ASCII(const void*); Py_UCS4 PyUnicode_READ(int, const void*, Py_ssize_t); Py_UCS4 PyUnicode_READ_CHAR(const void*, Py_ssize_t); void PyUnicode_WRITE(int, void*, Py_ssize_t, Py_UCS4); Py_UCS4 PyUnicode_ReadChar(PyObject*, Py_ssize_t); Py_UCS4 PyUnicode_MAX_CHAR_VALUE(const void*); PyObject* PyUnicode_Concat(PyObject*, PyObject*); void PyUnicode_Append(PyObject**, PyObject*); void PyUnicode_AppendAndDel(PyObject**, PyObject*); PyObject* PyUnicode_Join(PyObject*, PyObject*); PyObject* PyUnicode_Split(PyObject*, PyObject*, Py_ssize_t); PyObject* PyUnicode_Splitlines(PyObject*, int); PyObject* PyUnicode_Replace(PyObject*, PyObject*, PyObject*, Py_ssize_t); PyObject* PyUnicode_Format(PyObject*, PyObject*); PyObject* PyUnicode_Substring(PyObject*, Py_ssize_t, Py_ssize_t); Py_ssize_t PyUnicode_Find(PyObject*, PyObject*, Py_ssize_t, Py_ssize_t, int); Py_ssize_t PyUnicode_FindChar(PyObject*, Py_UCS4, Py_ssize_t, Py_ssize_t, int); Py_ssize_t PyUnicode_Tailmatch(PyObject*, PyObject*, Py_ssize_t, Py_ssize_t, int); Py_ssize_t PyUnicode_Count(PyObject*, PyObject*, Py_ssize_t, Py_ssize_t); int PyUnicode_Contains(PyObject*, PyObject*); int PyUnicode_Compare(PyObject*, PyObject*); int PyUnicode_CompareWithASCIIString(PyObject*, const char*); int PyUnicode_EqualToUTF8(PyObject*, const char*); int PyUnicode_EqualToUTF8AndSize(PyObject*, const char*, Py_ssize_t); int _PyUnicode_EqualToASCIIString(PyObject*, const char*); PyObject* PyUnicode_RichCompare(PyObject*, PyObject*, int); void PyUnicode_InternInPlace(PyObject**); PyObject* PyUnicode_InternFromString(const char*); int PyUnicode_CHECK_INTERNED(const void*); int PyUnicode_IsIdentifier(PyObject*); Py_ssize_t PyUnicode_CopyCharacters(PyObject*, Py_ssize_t, PyObject*, Py_ssize_t, Py_ssize_t); const char* PyUnicode_GetDefaultEncoding(void); int PyUnicode_Resize(PyObject**, Py_ssize_t);
PyObject* PyBytes_FromString(const char*); PyObject* PyBytes_FromStringAndSize(const char*, Py_ssize_t); PyObject* PyBytes_FromObject(PyObject*); PyObject* PyBytes_FromFormat(const char*, ...); Py_ssize_t PyBytes_Size(PyObject*); Py_ssize_t PyBytes_GET_SIZE(const void*); char* PyBytes_AsString(PyObject*); char* PyBytes_AS_STRING(const void*); int PyBytes_AsStringAndSize(PyObject*, char**, Py_ssize_t*); void PyBytes_Concat(PyObject**, PyObject*); void PyBytes_ConcatAndDel(PyObject**, PyObject*); PyObject* PyBytes_Repr(PyObject*, int); int _PyBytes_Resize(PyObject**, Py_ssize_t); PyObject* PyByteArray_FromStringAndSize(const char*, Py_ssize_t); PyObject* PyByteArray_FromObject(PyObject*); Py_ssize_t PyByteArray_Size(PyObject*); char* PyByteArray_AsString(PyObject*); char* PyByteArray_AS_STRING(const void*); Py_ssize_t PyByteArray_GET_SIZE(const void*); int PyByteArray_Resize(PyObject*, Py_ssize_t);
double PyOS_string_to_double(const char*, char**, PyObject*); char* PyOS_double_to_string(double, char, int, int, int*); long PyOS_strtol(const char*, char**, int); unsigned long PyOS_strtoul(const char*, char**, int); int PyOS_snprintf(char*, size_t, const char*, ...); int PyOS_vsnprintf(char*, size_t, const char*, va_list); int PyOS_mystricmp(const char*, const char*); PyObject* PyOS_FSPath(PyObject*); int PyOS_InterruptOccurred(void); void PyOS_BeforeFork(void); void PyOS_AfterFork_Parent(void); void PyOS_AfterFork_Child(void); void PyOS_AfterFork(void); PyOS_sighandler_t PyOS_getsig(int); PyOS_sighandler_t PyOS_setsig(int, PyOS_sighandler_t); extern int (*PyOS_InputHook)(void);
PyObject* PyCodec_Encode(PyObject*, const char*, const char*); PyObject* PyCodec_Decode(PyObject*, const char*, const char*);
// errors
void PyErr_SetString(PyObject*, const char*); void PyErr_SetObject(PyObject*, PyObject*); void PyErr_SetNone(PyObject*); PyObject* PyErr_Format(PyObject*, const char*, ...); PyObject* PyErr_FormatV(PyObject*, const char*, va_list); PyObject* PyErr_Occurred(void); void PyErr_Clear(void); void PyErr_Fetch(PyObject**, PyObject**, PyObject**); void PyErr_Restore(PyObject*, PyObject*, PyObject*); PyObject* PyErr_GetRaisedException(void); void PyErr_SetRaisedException(PyObject*); void PyErr_NormalizeException(PyObject**, PyObject**, PyObject**); int PyErr_GivenExceptionMatches(PyObject*, PyObject*); int PyErr_ExceptionMatches(PyObject*); void PyErr_Print(void); void PyErr_PrintEx(int); void PyErr_Display(PyObject*, PyObject*, PyObject*); void PyErr_DisplayException(PyObject*); void PyErr_WriteUnraisable(PyObject*); void PyErr_FormatUnraisable(const char*, ...); PyObject* PyErr_NoMemory(void); int PyErr_BadArgument(void); void PyErr_BadInternalCall(void); void _PyErr_BadInternalCall(const char*, int); int PyErr_CheckSignals(void); void PyErr_SetInterrupt(void); int PyErr_SetInterruptEx(int); PyObject* PyErr_NewException(const char*, PyObject*, PyObject*); PyObject* PyErr_NewExceptionWithDoc(const char*, const char*, PyObject*, PyObject*); int PyErr_WarnEx(PyObject*, const char*, Py_ssize_t); int PyErr_WarnFormat(PyObject*, Py_ssize_t, const char*, ...); int PyErr_ResourceWarning(PyObject*, Py_ssize_t, const char*, ...); int PyErr_WarnExplicit(PyObject*, const char*, const char*, int, const char*, PyObject*); int PyErr_WarnExplicitObject(PyObject*, PyObject*, PyObject*, int, PyObject*, PyObject*); PyObject* PyErr_SetFromErrno(PyObject*); PyObject* PyErr_SetFromErrnoWithFilename(PyObject*, const char*); PyObject* PyErr_SetFromErrnoWithFilenameObject(PyObject*, PyObject*); PyObject* PyErr_SetImportError(PyObject*, PyObject*, PyObject*); void PyErr_SyntaxLocation(const char*, int); void PyErr_GetExcInfo(PyObject**, PyObject**, PyObject**); void PyErr_SetExcInfo(PyObject*, PyObject*, PyObject*); PyObject* PyErr_GetHandledException(void); void PyErr_SetHandledException(PyObject*); PyObject* PyErr_ProgramText(const char*, int); int PyErr_Warn(PyObject*, const char*); void _PyErr_ChainExceptions(PyObject*, PyObject*, PyObject*); void _PyErr_ChainExceptions1(PyObject*); PyObject* _PyErr_FormatFromCause(PyObject*, const char*, ...); _PyErr_StackItem* _PyErr_GetTopmostException(PyThreadState*); void _PyErr_WriteUnraisableMsg(const char*, PyObject*); void _PyErr_Restore(PyThreadState*, PyObject*, PyObject*, PyObject*); void _PyErr_Fetch(PyThreadState*, PyObject**, PyObject**, PyObject**);
int PyException_SetTraceback(PyObject*, PyObject*); PyObject* PyException_GetTraceback(PyObject*); PyObject* PyException_GetCause(PyObject*); void PyException_SetCause(PyObject*, PyObject*); PyObject* PyException_GetContext(PyObject*); void PyException_SetContext(PyObject*, PyObject*); PyObject* PyException_GetArgs(PyObject*); void PyException_SetArgs(PyObject*, PyObject*); PyObject* PyExceptionInstance_Class(PyObject*); const char* PyExceptionClass_Name(PyObject*); void Py_FatalError(const char*); void _Py_FatalErrorFunc(const char*, const char*); int PyTraceBack_Here(PyFrameObject*); int PyTraceBack_Print(PyObject*, PyObject*); void _PyTraceback_Add(const char*, const char*, int); PyObject* PyUnicodeDecodeError_Create(const char*, const char*, Py_ssize_t, Py_ssize_t, Py_ssize_t, const char*); int Py_EnterRecursiveCall(const char*); void Py_LeaveRecursiveCall(void); int Py_ReprEnter(PyObject*); void Py_ReprLeave(PyObject*); int Py_GetRecursionLimit(void); void Py_SetRecursionLimit(int);
extern PyObject *PyExc_BaseException, *PyExc_Exception, *PyExc_StopIteration, *PyExc_StopAsyncIteration, *PyExc_GeneratorExit, *PyExc_ArithmeticError, *PyExc_LookupError, *PyExc_AssertionError, *PyExc_AttributeError, *PyExc_BufferError, *PyExc_EOFError, *PyExc_FloatingPointError, *PyExc_OSError, *PyExc_IOError, *PyExc_EnvironmentError, *PyExc_ImportError, *PyExc_ModuleNotFoundError, *PyExc_IndexError, *PyExc_KeyError, *PyExc_KeyboardInterrupt, *PyExc_MemoryError, *PyExc_NameError, *PyExc_OverflowError, *PyExc_RuntimeError, *PyExc_RecursionError, *PyExc_NotImplementedError, *PyExc_SyntaxError, *PyExc_IndentationError, *PyExc_TabError, *PyExc_ReferenceError, *PyExc_SystemError, *PyExc_SystemExit, *PyExc_TypeError, *PyExc_UnboundLocalError, *PyExc_UnicodeError, *PyExc_UnicodeEncodeError, *PyExc_UnicodeDecodeError, *PyExc_UnicodeTranslateError, *PyExc_ValueError, *PyExc_ZeroDivisionError, *PyExc_BlockingIOError, *PyExc_BrokenPipeError, *PyExc_ChildProcessError, *PyExc_ConnectionError, *PyExc_ConnectionAbortedError, *PyExc_ConnectionRefusedError, *PyExc_ConnectionResetError, *PyExc_FileExistsError, *PyExc_FileNotFoundError, *PyExc_InterruptedError, *PyExc_IsADirectoryError, *PyExc_NotADirectoryError, *PyExc_PermissionError, *PyExc_ProcessLookupError, *PyExc_TimeoutError, *PyExc_Warning, *PyExc_UserWarning, *PyExc_DeprecationWarning, *PyExc_PendingDeprecationWarning, *PyExc_SyntaxWarning, *PyExc_RuntimeWarning, *PyExc_FutureWarning, *PyExc_ImportWarning, *PyExc_UnicodeWarning, *PyExc_BytesWarning, *PyExc_ResourceWarning, *PyExc_EncodingWarning, *PyExc_BaseExceptionGroup;
// arguments, values
int PyArg_Parse(PyObject*, const char*, ...); int PyArg_ParseTuple(PyObject*, const char*, ...); int PyArg_ParseTupleAndKeywords(PyObject*, PyObject*, const char*, char* const*, ...); int PyArg_VaParse(PyObject*, const char*, va_list); int PyArg_VaParseTupleAndKeywords(PyObject*, PyObject*, const char*, char* const*, va_list); int PyArg_UnpackTuple(PyObject*, const char*, Py_ssize_t, Py_ssize_t, ...); int PyArg_ValidateKeywordArguments(PyObject*); PyObject* Py_BuildValue(const char*, ...); PyObject* Py_VaBuildValue(const char*, va_list); int _PyArg_NoKeywords(const char*, PyObject*); int _PyArg_ParseStack(PyObject* const*, Py_ssize_t, const char*, ...); int _PyArg_CheckPositional(const char*, Py_ssize_t, Py_ssize_t, Py_ssize_t);
// modules, imports, capsules
PyObject* PyModule_Create2(PyModuleDef*, int); PyObject* PyModule_Create(PyModuleDef*); PyObject* PyModule_FromDefAndSpec(PyModuleDef*, PyObject*); PyObject* PyModule_FromDefAndSpec2(PyModuleDef*, PyObject*, int); int PyModule_ExecDef(PyObject*, PyModuleDef*); PyObject* PyModuleDef_Init(PyModuleDef*); PyObject* PyModule_New(const char*); PyObject* PyModule_NewObject(PyObject*); PyObject* PyModule_GetDict(PyObject*); PyObject* PyModule_GetNameObject(PyObject*); const char* PyModule_GetName(PyObject*); const char* PyModule_GetFilename(PyObject*); PyObject* PyModule_GetFilenameObject(PyObject*); void* PyModule_GetState(PyObject*); PyModuleDef* PyModule_GetDef(PyObject*); int PyModule_AddObject(PyObject*, const char*, PyObject*); int PyModule_AddObjectRef(PyObject*, const char*, PyObject*); int PyModule_Add(PyObject*, const char*, PyObject*); int PyModule_AddIntConstant(PyObject*, const char*, long); int PyModule_AddStringConstant(PyObject*, const char*, const char*); int PyModule_AddType(PyObject*, PyTypeObject*); int PyModule_AddFunctions(PyObject*, PyMethodDef*); int PyModule_SetDocString(PyObject*, const char*); PyObject* PyState_FindModule(PyModuleDef*); int PyState_AddModule(PyObject*, PyModuleDef*); int PyState_RemoveModule(PyModuleDef*); int PyUnstable_Module_SetGIL(PyObject*, void*);
#define PyModule_AddIntMacro(m, c) PyModule_AddIntConstant(m, #c, c)
#define PyModule_AddStringMacro(m, c) PyModule_AddStringConstant(m, #c, c)
PyObject* PyImport_Import(PyObject*); PyObject* PyImport_ImportModule(const char*); PyObject* PyImport_ImportModuleNoBlock(const char*); PyObject* PyImport_ImportModuleLevel(const char*, PyObject*, PyObject*, PyObject*, int); PyObject* PyImport_ImportModuleLevelObject(PyObject*, PyObject*, PyObject*, PyObject*, int); PyObject* PyImport_AddModule(const char*); PyObject* PyImport_AddModuleRef(const char*); PyObject* PyImport_AddModuleObject(PyObject*); PyObject* PyImport_GetModule(PyObject*); PyObject* PyImport_GetModuleDict(void); PyObject* PyImport_ReloadModule(PyObject*); PyObject* PyImport_ExecCodeModule(const char*, PyObject*); int PyImport_AppendInittab(const char*, PyObject* (*)(void)); int PyImport_ExtendInittab(struct _inittab*); long PyImport_GetMagicNumber(void);
PyObject* PyCapsule_New(void*, const char*, PyCapsule_Destructor); void* PyCapsule_GetPointer(PyObject*, const char*); PyCapsule_Destructor PyCapsule_GetDestructor(PyObject*); const char* PyCapsule_GetName(PyObject*); void* PyCapsule_GetContext(PyObject*); int PyCapsule_IsValid(PyObject*, const char*); int PyCapsule_SetPointer(PyObject*, void*); int PyCapsule_SetDestructor(PyObject*, PyCapsule_Destructor); int PyCapsule_SetName(PyObject*, const char*); int PyCapsule_SetContext(PyObject*, void*); void* PyCapsule_Import(const char*, int);
PyObject* PyCFunction_New(PyMethodDef*, PyObject*); PyObject* PyCFunction_NewEx(PyMethodDef*, PyObject*, PyObject*); PyObject* PyCMethod_New(PyMethodDef*, PyObject*, PyObject*, PyTypeObject*); PyCFunction PyCFunction_GetFunction(PyObject*); PyObject* PyCFunction_GetSelf(PyObject*); int PyCFunction_GetFlags(PyObject*); PyCFunction PyCFunction_GET_FUNCTION(const void*); PyObject* PyCFunction_GET_SELF(const void*); int PyCFunction_GET_FLAGS(const void*); PyObject* PyCFunction_Call(PyObject*, PyObject*, PyObject*); PyObject* PyFunction_New(PyObject*, PyObject*); PyObject* PyFunction_NewWithQualName(PyObject*, PyObject*, PyObject*); PyObject* PyFunction_GetCode(PyObject*); PyObject* PyFunction_GetGlobals(PyObject*); PyObject* PyFunction_GetModule(PyObject*); PyObject* PyFunction_GetDefaults(PyObject*); int PyFunction_SetDefaults(PyObject*, PyObject*); PyObject* PyFunction_GetKwDefaults(PyObject*); PyObject* PyFunction_GetClosure(PyObject*); int PyFunction_SetClosure(PyObject*, PyObject*); PyObject* PyFunction_GetAnnotations(PyObject*); int PyFunction_SetAnnotations(PyObject*, PyObject*); PyObject* PyFunction_GET_CODE(const void*); PyObject* PyFunction_GET_GLOBALS(const void*); PyObject* PyFunction_GET_MODULE(const void*); PyObject* PyFunction_GET_CLOSURE(const void*);
PyObject* PyMethod_New(PyObject*, PyObject*); PyObject* PyMethod_Function(PyObject*); PyObject* PyMethod_Self(PyObject*); PyObject* PyMethod_GET_FUNCTION(const void*); PyObject* PyMethod_GET_SELF(const void*); PyObject* PyInstanceMethod_New(PyObject*); PyObject* PyInstanceMethod_Function(PyObject*); PyObject* PyInstanceMethod_GET_FUNCTION(const void*); PyObject* PyDescr_NewMethod(PyTypeObject*, PyMethodDef*); PyObject* PyDescr_NewClassMethod(PyTypeObject*, PyMethodDef*); PyObject* PyDescr_NewMember(PyTypeObject*, PyMemberDef*); PyObject* PyDescr_NewGetSet(PyTypeObject*, PyGetSetDef*); PyObject* PyDescr_NAME(const void*); PyTypeObject* PyDescr_TYPE(const void*); PyObject* PyWrapper_New(PyObject*, PyObject*); PyObject* PyMember_GetOne(const char*, PyMemberDef*); int PyMember_SetOne(char*, PyMemberDef*, PyObject*); PyObject* PyCell_New(PyObject*); PyObject* PyCell_Get(PyObject*); int PyCell_Set(PyObject*, PyObject*); PyObject* PyCell_GET(const void*); void PyCell_SET(const void*, PyObject*);
PyObject* PyWeakref_NewRef(PyObject*, PyObject*); PyObject* PyWeakref_NewProxy(PyObject*, PyObject*); PyObject* PyWeakref_GetObject(PyObject*); int PyWeakref_GetRef(PyObject*, PyObject**); PyObject* PyWeakref_GET_OBJECT(const void*); void _PyWeakref_ClearRef(PyWeakReference*); Py_ssize_t _PyWeakref_GetWeakrefCount(PyWeakReference*);
PyObject* PyContext_New(void); PyObject* PyContext_Copy(PyObject*); PyObject* PyContext_CopyCurrent(void); int PyContext_Enter(PyObject*); int PyContext_Exit(PyObject*); PyObject* PyContextVar_New(const char*, PyObject*); int PyContextVar_Get(PyObject*, PyObject*, PyObject**); PyObject* PyContextVar_Set(PyObject*, PyObject*); int PyContextVar_Reset(PyObject*, PyObject*); PyObject* Py_GenericAlias(PyObject*, PyObject*);
PyObject* PyFile_FromFd(int, const char*, const char*, int, const char*, const char*, const char*, int); int PyFile_WriteObject(PyObject*, PyObject*, int); int PyFile_WriteString(const char*, PyObject*); PyObject* PyFile_GetLine(PyObject*, int); PyObject* PySys_GetObject(const char*); int PySys_SetObject(const char*, PyObject*); void PySys_SetPath(const wchar_t*); void PySys_SetArgv(int, wchar_t**); void PySys_SetArgvEx(int, wchar_t**, int); void PySys_WriteStdout(const char*, ...); void PySys_WriteStderr(const char*, ...); void PySys_FormatStdout(const char*, ...); void PySys_FormatStderr(const char*, ...); int PySys_Audit(const char*, const char*, ...); int PySys_AddAuditHook(Py_AuditHookFunction, void*); PyObject* PyMarshal_ReadObjectFromString(const char*, Py_ssize_t); PyObject* PyMarshal_WriteObjectToString(PyObject*, int);
// code, frames, evaluation
int PyCode_Addr2Line(PyCodeObject*, int); int PyCode_Addr2Location(PyCodeObject*, int, int*, int*, int*, int*); PyCodeObject* PyCode_NewEmpty(const char*, const char*, int); PyObject* PyCode_GetCode(PyCodeObject*); PyObject* PyCode_GetVarnames(PyCodeObject*); PyObject* PyCode_GetCellvars(PyCodeObject*); PyObject* PyCode_GetFreevars(PyCodeObject*); Py_ssize_t PyCode_GetNumFree(PyCodeObject*); int PyCode_GetFirstFree(PyCodeObject*); PyObject* PyCode_Optimize(PyObject*, PyObject*, PyObject*, PyObject*); int _PyCode_GetExtra(PyObject*, Py_ssize_t, void**); int _PyCode_SetExtra(PyObject*, Py_ssize_t, void*); Py_ssize_t _PyEval_RequestCodeExtraIndex(freefunc); int PyUnstable_Code_GetExtra(PyObject*, Py_ssize_t, void**); int PyUnstable_Code_SetExtra(PyObject*, Py_ssize_t, void*); Py_ssize_t PyUnstable_Eval_RequestCodeExtraIndex(freefunc); PyCodeObject* PyUnstable_Code_New(int, ...); PyCodeObject* PyUnstable_Code_NewWithPosOnlyArgs(int, ...); PyCodeObject* PyCode_New(int, ...); PyCodeObject* PyCode_NewWithPosOnlyArgs(int, ...);
PyFrameObject* PyFrame_New(PyThreadState*, PyCodeObject*, PyObject*, PyObject*); PyCodeObject* PyFrame_GetCode(PyFrameObject*); PyFrameObject* PyFrame_GetBack(PyFrameObject*); PyObject* PyFrame_GetLocals(PyFrameObject*); PyObject* PyFrame_GetGlobals(PyFrameObject*); PyObject* PyFrame_GetBuiltins(PyFrameObject*); PyObject* PyFrame_GetGenerator(PyFrameObject*); int PyFrame_GetLasti(PyFrameObject*); PyObject* PyFrame_GetVar(PyFrameObject*, PyObject*); PyObject* PyFrame_GetVarString(PyFrameObject*, const char*); int PyFrame_GetLineNumber(PyFrameObject*); void PyFrame_LocalsToFast(PyFrameObject*, int); int PyFrame_FastToLocalsWithError(PyFrameObject*); void PyFrame_FastToLocals(PyFrameObject*); PyObject* PyUnstable_InterpreterFrame_GetCode(struct _PyInterpreterFrame*); int PyUnstable_InterpreterFrame_GetLasti(struct _PyInterpreterFrame*); int PyUnstable_InterpreterFrame_GetLine(struct _PyInterpreterFrame*);
PyObject* PyEval_EvalCode(PyObject*, PyObject*, PyObject*); PyObject* PyEval_EvalCodeEx(PyObject*, PyObject*, PyObject*, PyObject* const*, int, PyObject* const*, int, PyObject* const*, int, PyObject*, PyObject*); PyObject* PyEval_EvalFrame(PyFrameObject*); PyObject* PyEval_EvalFrameEx(PyFrameObject*, int); PyObject* _PyEval_EvalFrameDefault(PyThreadState*, struct _PyInterpreterFrame*, int); PyObject* PyEval_GetBuiltins(void); PyObject* PyEval_GetGlobals(void); PyObject* PyEval_GetLocals(void); PyFrameObject* PyEval_GetFrame(void); PyObject* PyEval_GetFrameBuiltins(void); PyObject* PyEval_GetFrameGlobals(void); PyObject* PyEval_GetFrameLocals(void); const char* PyEval_GetFuncName(PyObject*); const char* PyEval_GetFuncDesc(PyObject*); int PyEval_MergeCompilerFlags(PyCompilerFlags*); void PyEval_SetProfile(Py_tracefunc, PyObject*); void PyEval_SetTrace(Py_tracefunc, PyObject*); void PyEval_SetProfileAllThreads(Py_tracefunc, PyObject*); void PyEval_SetTraceAllThreads(Py_tracefunc, PyObject*);
int PyRun_SimpleString(const char*); int PyRun_SimpleStringFlags(const char*, PyCompilerFlags*); int PyRun_SimpleFile(FILE*, const char*); int PyRun_AnyFile(FILE*, const char*); int PyRun_InteractiveLoop(FILE*, const char*); PyObject* PyRun_String(const char*, int, PyObject*, PyObject*); PyObject* PyRun_StringFlags(const char*, int, PyObject*, PyObject*, PyCompilerFlags*); PyObject* PyRun_File(FILE*, const char*, int, PyObject*, PyObject*); PyObject* PyRun_FileEx(FILE*, const char*, int, PyObject*, PyObject*, int); PyObject* Py_CompileString(const char*, const char*, int); PyObject* Py_CompileStringFlags(const char*, const char*, int, PyCompilerFlags*); PyObject* Py_CompileStringExFlags(const char*, const char*, int, PyCompilerFlags*, int); int Py_Main(int, wchar_t**); int Py_BytesMain(int, char**); int Py_RunMain(void);
// start-up, threads, the GIL
void Py_Initialize(void); void Py_InitializeEx(int); int Py_IsInitialized(void); int Py_IsFinalizing(void); int _Py_IsFinalizing(void); void Py_Finalize(void); int Py_FinalizeEx(void); PyThreadState* Py_NewInterpreter(void); PyStatus Py_NewInterpreterFromConfig(PyThreadState**, const PyInterpreterConfig*); void Py_EndInterpreter(PyThreadState*); int Py_AtExit(void (*)(void)); void Py_Exit(int); int Py_AddPendingCall(int (*)(void*), void*); int Py_MakePendingCalls(void); PyStatus Py_InitializeFromConfig(const PyConfig*); PyStatus Py_PreInitialize(const PyPreConfig*); int PyStatus_Exception(PyStatus); int PyStatus_IsError(PyStatus); int PyStatus_IsExit(PyStatus); PyStatus PyStatus_Ok(void); void Py_ExitStatusException(PyStatus);
void PyConfig_InitPythonConfig(PyConfig*); void PyConfig_InitIsolatedConfig(PyConfig*); void PyConfig_Clear(PyConfig*); PyStatus PyConfig_SetString(PyConfig*, wchar_t**, const wchar_t*); PyStatus PyConfig_SetBytesString(PyConfig*, wchar_t**, const char*); PyStatus PyConfig_SetArgv(PyConfig*, Py_ssize_t, wchar_t* const*); PyStatus PyConfig_SetBytesArgv(PyConfig*, Py_ssize_t, char* const*); PyStatus PyConfig_Read(PyConfig*); void PyPreConfig_InitPythonConfig(PyPreConfig*); void PyPreConfig_InitIsolatedConfig(PyPreConfig*); PyStatus PyWideStringList_Append(PyWideStringList*, const wchar_t*);
const char* Py_GetVersion(void); const char* Py_GetPlatform(void); const char* Py_GetCompiler(void); const char* Py_GetBuildInfo(void); const char* Py_GetCopyright(void); wchar_t* Py_GetPath(void); void Py_SetPath(const wchar_t*); wchar_t* Py_GetPrefix(void); wchar_t* Py_GetExecPrefix(void); wchar_t* Py_GetProgramName(void); wchar_t* Py_GetProgramFullPath(void); void Py_SetProgramName(const wchar_t*); wchar_t* Py_GetPythonHome(void); void Py_SetPythonHome(const wchar_t*); wchar_t* Py_DecodeLocale(const char*, size_t*); char* Py_EncodeLocale(const wchar_t*, size_t*); extern const unsigned long Py_Version; extern int Py_VerboseFlag, Py_DebugFlag, Py_OptimizeFlag, Py_NoSiteFlag, Py_InspectFlag, Py_IgnoreEnvironmentFlag, Py_IsolatedFlag, Py_FrozenFlag, Py_UnbufferedStdioFlag, Py_BytesWarningFlag;
PyGILState_STATE PyGILState_Ensure(void); void PyGILState_Release(PyGILState_STATE); int PyGILState_Check(void); PyThreadState* PyGILState_GetThisThreadState(void); PyThreadState* PyEval_SaveThread(void); void PyEval_RestoreThread(PyThreadState*); void PyEval_AcquireThread(PyThreadState*); void PyEval_ReleaseThread(PyThreadState*); void PyEval_AcquireLock(void); void PyEval_ReleaseLock(void); void PyEval_InitThreads(void); int PyEval_ThreadsInitialized(void);
PyThreadState* PyThreadState_Get(void); PyThreadState* PyThreadState_GetUnchecked(void); PyThreadState* _PyThreadState_UncheckedGet(void); PyThreadState* PyThreadState_GET(void); PyThreadState* PyThreadState_Swap(PyThreadState*); PyThreadState* PyThreadState_New(PyInterpreterState*); void PyThreadState_Clear(PyThreadState*); void PyThreadState_Delete(PyThreadState*); void PyThreadState_DeleteCurrent(void); PyObject* PyThreadState_GetDict(void); PyInterpreterState* PyThreadState_GetInterpreter(PyThreadState*); PyFrameObject* PyThreadState_GetFrame(PyThreadState*); uint64_t PyThreadState_GetID(PyThreadState*); int PyThreadState_SetAsyncExc(unsigned long, PyObject*); PyThreadState* PyThreadState_Next(PyThreadState*); void PyThreadState_EnterTracing(PyThreadState*); void PyThreadState_LeaveTracing(PyThreadState*); PyInterpreterState* PyInterpreterState_Get(void); PyInterpreterState* _PyInterpreterState_GET(void); PyInterpreterState* PyInterpreterState_New(void); void PyInterpreterState_Clear(PyInterpreterState*); void PyInterpreterState_Delete(PyInterpreterState*); int64_t PyInterpreterState_GetID(PyInterpreterState*); PyObject* PyInterpreterState_GetDict(PyInterpreterState*); PyInterpreterState* PyInterpreterState_Head(void); PyInterpreterState* PyInterpreterState_Main(void); PyInterpreterState* PyInterpreterState_Next(PyInterpreterState*); PyThreadState* PyInterpreterState_ThreadHead(PyInterpreterState*); _PyFrameEvalFunction _PyInterpreterState_GetEvalFrameFunc(PyInterpreterState*); void _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState*, _PyFrameEvalFunction);
void PyMutex_Lock(PyMutex*); void PyMutex_Unlock(PyMutex*); void PyCriticalSection_Begin(PyCriticalSection*, PyObject*); void PyCriticalSection_End(PyCriticalSection*); void PyCriticalSection2_Begin(PyCriticalSection2*, PyObject*, PyObject*); void PyCriticalSection2_End(PyCriticalSection2*);
#define Py_BEGIN_CRITICAL_SECTION(op) { PyCriticalSection _py_cs; PyCriticalSection_Begin(&_py_cs, (PyObject*)(op));
#define Py_END_CRITICAL_SECTION() PyCriticalSection_End(&_py_cs); }
#define Py_BEGIN_CRITICAL_SECTION2(a, b) { PyCriticalSection2 _py_cs2; PyCriticalSection2_Begin(&_py_cs2, (PyObject*)(a), (PyObject*)(b));
#define Py_END_CRITICAL_SECTION2() PyCriticalSection2_End(&_py_cs2); }
#define Py_BEGIN_ALLOW_THREADS { PyThreadState* _save; _save = PyEval_SaveThread();
#define Py_BLOCK_THREADS PyEval_RestoreThread(_save);
#define Py_UNBLOCK_THREADS _save = PyEval_SaveThread();
#define Py_END_ALLOW_THREADS PyEval_RestoreThread(_save); }
int PyThread_tss_create(Py_tss_t*); void PyThread_tss_delete(Py_tss_t*); int PyThread_tss_set(Py_tss_t*, void*); void* PyThread_tss_get(Py_tss_t*); int PyThread_tss_is_created(Py_tss_t*); Py_tss_t* PyThread_tss_alloc(void); void PyThread_tss_free(Py_tss_t*); void PyThread_init_thread(void); unsigned long PyThread_start_new_thread(void (*)(void*), void*); void PyThread_exit_thread(void); unsigned long PyThread_get_thread_ident(void); unsigned long PyThread_get_thread_native_id(void); PyThread_type_lock PyThread_allocate_lock(void); void PyThread_free_lock(PyThread_type_lock); int PyThread_acquire_lock(PyThread_type_lock, int); PyLockStatus PyThread_acquire_lock_timed(PyThread_type_lock, long long, int); void PyThread_release_lock(PyThread_type_lock); int PyThread_create_key(void); void PyThread_delete_key(int); int PyThread_set_key_value(int, void*); void* PyThread_get_key_value(int); void PyThread_delete_key_value(int); size_t PyThread_get_stacksize(void); int PyThread_set_stacksize(size_t);
#define WAIT_LOCK 1
#define NOWAIT_LOCK 0
int PyTime_Time(PyTime_t*); int PyTime_Monotonic(PyTime_t*); int PyTime_PerfCounter(PyTime_t*); double PyTime_AsSecondsDouble(PyTime_t); Py_hash_t Py_HashPointer(const void*); Py_hash_t _Py_HashPointer(const void*); Py_hash_t _Py_HashBytes(const void*, Py_ssize_t); Py_hash_t Py_HashBuffer(const void*, Py_ssize_t); Py_hash_t _Py_HashDouble(PyObject*, double);
int Py_ISDIGIT(int); int Py_ISALPHA(int); int Py_ISALNUM(int); int Py_ISSPACE(int); int Py_ISUPPER(int); int Py_ISLOWER(int); int Py_TOLOWER(int); int Py_TOUPPER(int); int Py_UNICODE_ISSPACE(Py_UCS4); int Py_UNICODE_ISALNUM(Py_UCS4); int Py_UNICODE_ISDIGIT(Py_UCS4); int Py_UNICODE_TODIGIT(Py_UCS4); int Py_UNICODE_TODECIMAL(Py_UCS4); int Py_UNICODE_ISALPHA(Py_UCS4);
#ifdef __cplusplus
}
PyObject*& PyTuple_GET_ITEM(const void*, Py_ssize_t);
PyObject*& PyList_GET_ITEM(const void*, Py_ssize_t);
template <class T> void Py_CLEAR(T& op);
template <class T, class U> void Py_SETREF(T& op, U op2);
template <class T, class U> void Py_XSETREF(T& op, U op2);
template <class T> PyCFunction _PyCFunction_CAST(T f);
#else
PyObject* PyTuple_GET_ITEM(const void*, Py_ssize_t);
PyObject* PyList_GET_ITEM(const void*, Py_ssize_t);
#define Py_CLEAR(op) do { Py_XDECREF(op); (op) = NULL; } while (0)
#define Py_SETREF(op, op2) do { Py_DECREF(op); (op) = (op2); } while (0)
#define Py_XSETREF(op, op2) do { Py_XDECREF(op); (op) = (op2); } while (0)
#define _PyCFunction_CAST(f) ((PyCFunction)(f))
#endif
#undef LOSTUB_PYTYPE
