/* Parse-only stand-in for <linux/limits.h>. */
#pragma once
#define NAME_MAX 255
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define NGROUPS_MAX 65536
#define ARG_MAX 131072
#define XATTR_NAME_MAX 255
