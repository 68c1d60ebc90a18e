// Parse-only stand-in for CPython's unicodeobject.h.
#pragma once
#include "Python.h"
