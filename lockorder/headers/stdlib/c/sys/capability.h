/* Parse-only stand-in for <sys/capability.h>. */
#pragma once
