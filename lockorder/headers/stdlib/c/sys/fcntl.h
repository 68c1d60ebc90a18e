/* Parse-only stand-in for <sys/fcntl.h>. */
#pragma once
#include <fcntl.h>
