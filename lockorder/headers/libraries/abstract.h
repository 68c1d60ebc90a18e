// Parse-only stand-in for CPython's abstract.h.
#pragma once
#include "Python.h"
