/* Parse-only stand-in for <sys/poll.h>. */
#pragma once
#include <poll.h>
