// Parse-only stand-in for PyTorch: c10/util/Type.h.
#pragma once
#include <c10/macros/Macros.h>
#include <string>
#include <typeinfo>
namespace c10 { std::string demangle(const char* name); template <class T> const char* demangle_type(); }
