/* Parse-only stand-in for <sys/inotify.h>. */
#pragma once
#include <stdint.h>
#include <features.h>
struct inotify_event { int wd; uint32_t mask, cookie, len; char name[]; };
enum { IN_CLOEXEC = 02000000, IN_NONBLOCK = 04000 };
#define IN_ACCESS 1
#define IN_MODIFY 2
#define IN_ATTRIB 4
#define IN_CLOSE_WRITE 8
#define IN_CLOSE_NOWRITE 0x10
#define IN_CLOSE 0x18
#define IN_OPEN 0x20
#define IN_MOVED_FROM 0x40
#define IN_MOVED_TO 0x80
#define IN_MOVE 0xc0
#define IN_CREATE 0x100
#define IN_DELETE 0x200
#define IN_DELETE_SELF 0x400
#define IN_MOVE_SELF 0x800
#define IN_IGNORED 0x8000
#define IN_ISDIR 0x40000000
#define IN_ALL_EVENTS 0xfff
__BEGIN_DECLS
int inotify_init(void); int inotify_init1(int); int inotify_add_watch(int, const char*, uint32_t); int inotify_rm_watch(int, int);
__END_DECLS
