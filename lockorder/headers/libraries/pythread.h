// Parse-only stand-in for CPython's pythread.h.
#pragma once
#include "Python.h"
