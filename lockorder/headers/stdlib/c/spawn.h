/* Parse-only stand-in for <spawn.h>. */
#pragma once
#include <sys/types.h>
#include <bits/sigset.h>
#include <sched.h>
typedef struct { long v[42]; } posix_spawnattr_t; typedef struct { long v[10]; } posix_spawn_file_actions_t;
__BEGIN_DECLS
int posix_spawn(pid_t* __restrict, const char* __restrict, const posix_spawn_file_actions_t*, const posix_spawnattr_t* __restrict, char* const[], char* const[]); int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[], char* const[]); int posix_spawn_file_actions_init(posix_spawn_file_actions_t*); int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t*); int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t*, int, int); int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t*, int); int posix_spawnattr_init(posix_spawnattr_t*); int posix_spawnattr_destroy(posix_spawnattr_t*); int posix_spawnattr_setflags(posix_spawnattr_t*, short);
__END_DECLS
