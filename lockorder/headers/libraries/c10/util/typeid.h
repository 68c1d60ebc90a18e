// Parse-only stand-in for PyTorch: c10/util/typeid.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstddef>
#include <string>
namespace caffe2 { class TypeMeta { public: TypeMeta() noexcept; size_t itemsize() const noexcept; std::string name() const; template <class T> bool Match() const; template <class T> static TypeMeta Make(); bool operator==(const TypeMeta&) const; bool operator!=(const TypeMeta&) const; }; }
