// Parse-only stand-in for CPython's structmember.h.
#pragma once
#include "Python.h"
