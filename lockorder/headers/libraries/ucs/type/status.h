// Parse-only stand-in for UCX's ucs/type/status.h.
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef enum { UCS_OK = 0, UCS_INPROGRESS = 1, UCS_ERR_NO_MESSAGE = -1, UCS_ERR_NO_RESOURCE = -2, UCS_ERR_IO_ERROR = -3, UCS_ERR_NO_MEMORY = -4, UCS_ERR_INVALID_PARAM = -5, UCS_ERR_UNREACHABLE = -6, UCS_ERR_INVALID_ADDR = -7, UCS_ERR_NOT_IMPLEMENTED = -8, UCS_ERR_MESSAGE_TRUNCATED = -9, UCS_ERR_NO_PROGRESS = -10, UCS_ERR_BUFFER_TOO_SMALL = -11, UCS_ERR_NO_ELEM = -12, UCS_ERR_BUSY = -15, UCS_ERR_CANCELED = -16, UCS_ERR_ALREADY_EXISTS = -18, UCS_ERR_TIMED_OUT = -20, UCS_ERR_UNSUPPORTED = -22, UCS_ERR_REJECTED = -23, UCS_ERR_NOT_CONNECTED = -24, UCS_ERR_CONNECTION_RESET = -25, UCS_ERR_ENDPOINT_TIMEOUT = -80, UCS_ERR_LAST = -100 } ucs_status_t;
typedef void* ucs_status_ptr_t;
#define UCS_PTR_IS_ERR(p) (((uintptr_t)(p)) >= ((uintptr_t)UCS_ERR_LAST))
#define UCS_PTR_IS_PTR(p) ((p) != 0 && !UCS_PTR_IS_ERR(p))
#define UCS_PTR_STATUS(p) ((ucs_status_t)(intptr_t)(p))
#define UCS_PTR_RAW_STATUS(p) ((ucs_status_t)(intptr_t)(p))
#define UCS_STATUS_PTR(s) ((void*)(intptr_t)(s))
#define UCS_STATUS_IS_ERR(s) ((s) < 0)
#ifdef __cplusplus
extern "C"
#endif
const char* ucs_status_string(ucs_status_t status);
