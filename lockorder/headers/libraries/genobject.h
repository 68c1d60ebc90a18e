// Parse-only stand-in for CPython's genobject.h.
#pragma once
#include "Python.h"
