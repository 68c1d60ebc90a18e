// Parse-only stand-in for CPython's frameobject.h.
#pragma once
#include "Python.h"
