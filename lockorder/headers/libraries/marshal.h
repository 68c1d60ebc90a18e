// Parse-only stand-in for CPython's marshal.h.
#pragma once
#include "Python.h"
