/* Parse-only stand-in for <stdio.h>. */
#pragma once
#include <sys/types.h>
#include <stdarg.h>
typedef struct _IO_FILE FILE;
typedef struct _IO_FILE __FILE;
struct _IO_FILE { int _flags; int _fileno; };
typedef struct { off_t pos; } fpos_t;
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define P_tmpdir "/tmp"
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
__BEGIN_DECLS
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
int remove(const char*); int rename(const char*, const char*); int renameat(int, const char*, int, const char*); FILE* tmpfile(void); char* tmpnam(char*); char* tempnam(const char*, const char*); int fclose(FILE*); int fflush(FILE*); int fflush_unlocked(FILE*); FILE* fopen(const char* __restrict, const char* __restrict); FILE* fopen64(const char* __restrict, const char* __restrict); FILE* freopen(const char* __restrict, const char* __restrict, FILE* __restrict); FILE* fdopen(int, const char*); FILE* fmemopen(void*, size_t, const char*); FILE* open_memstream(char**, size_t*); void setbuf(FILE* __restrict, char* __restrict); int setvbuf(FILE* __restrict, char* __restrict, int, size_t); void setbuffer(FILE*, char*, size_t); void setlinebuf(FILE*);
int fprintf(FILE* __restrict, const char* __restrict, ...) __attribute__((format(printf, 2, 3))); int printf(const char* __restrict, ...) __attribute__((format(printf, 1, 2))); int sprintf(char* __restrict, const char* __restrict, ...) __attribute__((format(printf, 2, 3))); int snprintf(char* __restrict, size_t, const char* __restrict, ...) __attribute__((format(printf, 3, 4))); int dprintf(int, const char* __restrict, ...) __attribute__((format(printf, 2, 3))); int asprintf(char** __restrict, const char* __restrict, ...) __attribute__((format(printf, 2, 3)));
int vfprintf(FILE* __restrict, const char* __restrict, va_list) __attribute__((format(printf, 2, 0))); int vprintf(const char* __restrict, va_list) __attribute__((format(printf, 1, 0))); int vsprintf(char* __restrict, const char* __restrict, va_list) __attribute__((format(printf, 2, 0))); int vsnprintf(char* __restrict, size_t, const char* __restrict, va_list) __attribute__((format(printf, 3, 0))); int vdprintf(int, const char* __restrict, va_list) __attribute__((format(printf, 2, 0))); int vasprintf(char** __restrict, const char* __restrict, va_list) __attribute__((format(printf, 2, 0)));
int fscanf(FILE* __restrict, const char* __restrict, ...); int scanf(const char* __restrict, ...); int sscanf(const char* __restrict, const char* __restrict, ...); int vfscanf(FILE* __restrict, const char* __restrict, va_list); int vscanf(const char* __restrict, va_list); int vsscanf(const char* __restrict, const char* __restrict, va_list);
int fgetc(FILE*); int getc(FILE*); int getchar(void); int getc_unlocked(FILE*); int getchar_unlocked(void); int fputc(int, FILE*); int putc(int, FILE*); int putchar(int); int putc_unlocked(int, FILE*); int putchar_unlocked(int); char* fgets(char* __restrict, int, FILE* __restrict); int fputs(const char* __restrict, FILE* __restrict); int puts(const char*); int ungetc(int, FILE*); ssize_t getdelim(char** __restrict, size_t* __restrict, int, FILE* __restrict); ssize_t getline(char** __restrict, size_t* __restrict, FILE* __restrict);
size_t fread(void* __restrict, size_t, size_t, FILE* __restrict); size_t fwrite(const void* __restrict, size_t, size_t, FILE* __restrict); size_t fread_unlocked(void* __restrict, size_t, size_t, FILE* __restrict); size_t fwrite_unlocked(const void* __restrict, size_t, size_t, FILE* __restrict); int fseek(FILE*, long, int); long ftell(FILE*); void rewind(FILE*); int fseeko(FILE*, off_t, int); off_t ftello(FILE*); int fgetpos(FILE* __restrict, fpos_t* __restrict); int fsetpos(FILE*, const fpos_t*); void clearerr(FILE*); int feof(FILE*); int ferror(FILE*); void perror(const char*); int fileno(FILE*); int fileno_unlocked(FILE*); FILE* popen(const char*, const char*); int pclose(FILE*); char* ctermid(char*); void flockfile(FILE*); int ftrylockfile(FILE*); void funlockfile(FILE*);
__END_DECLS
