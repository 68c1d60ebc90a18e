/* Parse-only stand-in for <wait.h>. */
#pragma once
#include <sys/wait.h>
