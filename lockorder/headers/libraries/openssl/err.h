// Parse-only stand-in for OpenSSL's openssl/err.h (common calls).
#pragma once
#include <openssl/types.h>
#ifdef __cplusplus
extern "C" {
#endif
unsigned long ERR_get_error(void); unsigned long ERR_peek_error(void); unsigned long ERR_peek_last_error(void); void ERR_clear_error(void); char* ERR_error_string(unsigned long e, char* buf); void ERR_error_string_n(unsigned long e, char* buf, size_t len);
const char* ERR_lib_error_string(unsigned long e); const char* ERR_reason_error_string(unsigned long e); void ERR_print_errors_cb(int (*cb)(const char* str, size_t len, void* u), void* u); void ERR_print_errors_fp(FILE* fp); void ERR_print_errors(BIO* bp);
#ifdef __cplusplus
}
#endif
