/* Parse-only stand-in for <sys/termios.h>. */
#pragma once
#include <termios.h>
