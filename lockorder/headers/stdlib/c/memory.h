/* Parse-only stand-in for <memory.h>. */
#pragma once
#include <string.h>
