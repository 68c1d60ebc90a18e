/* Parse-only stand-in for <sys/unistd.h>. */
#pragma once
#include <unistd.h>
