/* Parse-only stand-in for <linux/prctl.h>. */
#pragma once
#include <sys/prctl.h>
