// Parse-only stand-in for PyTorch: torch/csrc/python_headers.h.
#pragma once
#include <Python.h>
#include <frameobject.h>
#include <structmember.h>
#include <locale>
