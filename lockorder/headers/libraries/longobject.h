// Parse-only stand-in for CPython's longobject.h.
#pragma once
#include "Python.h"
