// Parse-only stand-in for CPython's ceval.h.
#pragma once
#include "Python.h"
