// Parse-only stand-in for CPython's patchlevel.h.
#pragma once
#define PY_MAJOR_VERSION 3
#define PY_MINOR_VERSION 13
#define PY_MICRO_VERSION 0
#define PY_RELEASE_LEVEL 0xF
#define PY_RELEASE_SERIAL 0
#define PY_VERSION "3.13.0"
#define PY_VERSION_HEX 0x030D00F0
