// Parse-only stand-in for CPython's pystate.h.
#pragma once
#include "Python.h"
