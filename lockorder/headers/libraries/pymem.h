// Parse-only stand-in for CPython's pymem.h.
#pragma once
#include "Python.h"
