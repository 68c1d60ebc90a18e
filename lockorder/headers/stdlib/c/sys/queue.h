/* Parse-only stand-in for <sys/queue.h>. */
#pragma once
#include <sys/cdefs.h>
