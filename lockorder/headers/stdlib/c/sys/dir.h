/* Parse-only stand-in for <sys/dir.h>. */
#pragma once
#include <dirent.h>
