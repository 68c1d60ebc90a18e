/* Parse-only stand-in for <sys/un.h>. */
#pragma once
#include <sys/socket.h>
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
#define SUN_LEN(p) (sizeof(sa_family_t) + __builtin_strlen((p)->sun_path))
