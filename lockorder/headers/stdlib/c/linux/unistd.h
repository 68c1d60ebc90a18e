/* Parse-only stand-in for <linux/unistd.h>. */
#pragma once
#include <asm/unistd.h>
