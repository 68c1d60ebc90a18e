/* Parse-only stand-in for <sys/vfs.h>. */
#pragma once
#include <sys/statfs.h>
