// Parse-only stand-in for CPython's tupleobject.h.
#pragma once
#include "Python.h"
