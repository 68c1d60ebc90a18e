/* Parse-only stand-in for <string.h>. */
#pragma once
#include <stddef.h>
#include <bits/locale_t.h>
#include <strings.h>
__BEGIN_DECLS
void* memcpy(void* __restrict, const void* __restrict, size_t); void* memmove(void*, const void*, size_t); void* memccpy(void* __restrict, const void* __restrict, int, size_t); void* mempcpy(void* __restrict, const void* __restrict, size_t); void* memset(void*, int, size_t); void explicit_bzero(void*, size_t); int memcmp(const void*, const void*, size_t); void* memmem(const void*, size_t, const void*, size_t);
char* strcpy(char* __restrict, const char* __restrict); char* strncpy(char* __restrict, const char* __restrict, size_t); char* strcat(char* __restrict, const char* __restrict); char* strncat(char* __restrict, const char* __restrict, size_t); int strcmp(const char*, const char*); int strncmp(const char*, const char*, size_t); int strcoll(const char*, const char*); size_t strxfrm(char* __restrict, const char* __restrict, size_t); char* strdup(const char*); char* strndup(const char*, size_t); size_t strlcpy(char*, const char*, size_t); size_t strlcat(char*, const char*, size_t);
size_t strcspn(const char*, const char*); size_t strspn(const char*, const char*); char* strtok(char* __restrict, const char* __restrict); char* strtok_r(char* __restrict, const char* __restrict, char** __restrict); size_t strlen(const char*); size_t strnlen(const char*, size_t); char* strerror(int); char* strerror_r(int, char*, size_t); char* strerror_l(int, locale_t); const char* strerrorname_np(int); const char* strerrordesc_np(int); char* strsignal(int); const char* sigabbrev_np(int); char* strsep(char** __restrict, const char* __restrict); char* stpcpy(char* __restrict, const char* __restrict); char* stpncpy(char* __restrict, const char* __restrict, size_t); int strverscmp(const char*, const char*); int strcoll_l(const char*, const char*, locale_t); char* strfry(char*);
#ifndef __cplusplus
void* memchr(const void*, int, size_t); void* memrchr(const void*, int, size_t); void* rawmemchr(const void*, int); char* strchr(const char*, int); char* strrchr(const char*, int); char* strchrnul(const char*, int); char* strpbrk(const char*, const char*); char* strstr(const char*, const char*); char* strcasestr(const char*, const char*); char* basename(const char*);
#endif
__END_DECLS
#ifdef __cplusplus
extern "C++" {
#define __lo_both(n) __asm__(#n)
void* memchr(void*, int, size_t) __lo_both(memchr); const void* memchr(const void*, int, size_t) __lo_both(memchr); void* memrchr(void*, int, size_t) __lo_both(memrchr); const void* memrchr(const void*, int, size_t) __lo_both(memrchr); char* strchr(char*, int) __lo_both(strchr); const char* strchr(const char*, int) __lo_both(strchr); char* strrchr(char*, int) __lo_both(strrchr); const char* strrchr(const char*, int) __lo_both(strrchr); char* strchrnul(char*, int) __lo_both(strchrnul); const char* strchrnul(const char*, int) __lo_both(strchrnul); char* strpbrk(char*, const char*) __lo_both(strpbrk); const char* strpbrk(const char*, const char*) __lo_both(strpbrk); char* strstr(char*, const char*) __lo_both(strstr); const char* strstr(const char*, const char*) __lo_both(strstr); char* strcasestr(char*, const char*) __lo_both(strcasestr); const char* strcasestr(const char*, const char*) __lo_both(strcasestr);
char* basename(char*) __lo_both(basename); const char* basename(const char*) __lo_both(basename);
}
#endif
