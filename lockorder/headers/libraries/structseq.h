// Parse-only stand-in for CPython's structseq.h.
#pragma once
#include "Python.h"
