/* Parse-only stand-in for <sys/gmon.h>. */
#pragma once
