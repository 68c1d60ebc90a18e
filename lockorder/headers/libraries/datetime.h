// Parse-only stand-in for CPython's datetime.h.
#pragma once
#include "Python.h"
