// Parse-only stand-in for hiredis/hiredis.h.
#pragma once
#include <stddef.h>
#include <stdarg.h>
#include <sys/time.h>
#define REDIS_REPLY_STRING 1
#define REDIS_REPLY_ARRAY 2
#define REDIS_REPLY_INTEGER 3
#define REDIS_REPLY_NIL 4
#define REDIS_REPLY_STATUS 5
#define REDIS_REPLY_ERROR 6
#ifdef __cplusplus
extern "C" {
#endif
typedef struct redisReply { int type; long long integer; size_t len; char* str; size_t elements; struct redisReply** element; } redisReply;
typedef struct redisContext { int err; char errstr[128]; int fd, flags; } redisContext;
redisContext* redisConnect(const char* ip, int port); redisContext* redisConnectWithTimeout(const char* ip, int port, const struct timeval tv); void redisFree(redisContext* c); void freeReplyObject(void* reply); void* redisCommand(redisContext* c, const char* format, ...); void* redisCommandArgv(redisContext* c, int argc, const char** argv, const size_t* argvlen); int redisSetTimeout(redisContext* c, const struct timeval tv);
#ifdef __cplusplus
}
#endif
