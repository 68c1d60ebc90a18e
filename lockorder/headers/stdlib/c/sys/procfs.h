/* Parse-only stand-in for <sys/procfs.h>. */
#pragma once
#include <sys/types.h>
