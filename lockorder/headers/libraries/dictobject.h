// Parse-only stand-in for CPython's dictobject.h.
#pragma once
#include "Python.h"
