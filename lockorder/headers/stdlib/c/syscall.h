/* Parse-only stand-in for <syscall.h>. */
#pragma once
#include <sys/syscall.h>
