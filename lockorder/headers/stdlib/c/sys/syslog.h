/* Parse-only stand-in for <sys/syslog.h>. */
#pragma once
#include <syslog.h>
