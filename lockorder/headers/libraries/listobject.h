// Parse-only stand-in for CPython's listobject.h.
#pragma once
#include "Python.h"
