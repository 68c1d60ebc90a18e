/* Parse-only stand-in for <alloca.h>. */
#pragma once
#include <stddef.h>
#define alloca(n) __builtin_alloca(n)
