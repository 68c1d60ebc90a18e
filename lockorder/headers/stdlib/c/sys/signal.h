/* Parse-only stand-in for <sys/signal.h>. */
#pragma once
#include <signal.h>
