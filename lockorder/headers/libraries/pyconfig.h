// Parse-only stand-in for CPython's pyconfig.h.
#pragma once
#define HAVE_PTHREAD_H 1
#define SIZEOF_VOID_P 8
