/* Parse-only stand-in for <unwind.h>. */
#pragma once
#include <stdint.h>
#include <sys/cdefs.h>
typedef enum { _URC_NO_REASON = 0, _URC_FOREIGN_EXCEPTION_CAUGHT = 1, _URC_FATAL_PHASE2_ERROR = 2, _URC_FATAL_PHASE1_ERROR = 3, _URC_NORMAL_STOP = 4, _URC_END_OF_STACK = 5, _URC_HANDLER_FOUND = 6, _URC_INSTALL_CONTEXT = 7, _URC_CONTINUE_UNWIND = 8 } _Unwind_Reason_Code;
typedef int _Unwind_Action; typedef uintptr_t _Unwind_Ptr; typedef uintptr_t _Unwind_Word; typedef uint64_t _Unwind_Exception_Class;
struct _Unwind_Context;
struct _Unwind_Exception { _Unwind_Exception_Class exception_class; void (*exception_cleanup)(_Unwind_Reason_Code, struct _Unwind_Exception*); _Unwind_Word private_1, private_2; };
typedef _Unwind_Reason_Code (*_Unwind_Trace_Fn)(struct _Unwind_Context*, void*);
__BEGIN_DECLS
_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*); _Unwind_Ptr _Unwind_GetIP(struct _Unwind_Context*); _Unwind_Ptr _Unwind_GetIPInfo(struct _Unwind_Context*, int*); _Unwind_Word _Unwind_GetCFA(struct _Unwind_Context*); void* _Unwind_FindEnclosingFunction(void*);
void _Unwind_DeleteException(struct _Unwind_Exception*); _Unwind_Ptr _Unwind_GetRegionStart(struct _Unwind_Context*); void* _Unwind_GetLanguageSpecificData(struct _Unwind_Context*); void _Unwind_Resume(struct _Unwind_Exception*);
__END_DECLS
