/* Parse-only stand-in for <sys/errno.h>. */
#pragma once
#include <errno.h>
