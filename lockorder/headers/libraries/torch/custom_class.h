// Parse-only stand-in for PyTorch: torch/custom_class.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/library.h>
#include <string>
namespace torch {
template <class... T> struct types {}; template <class... A> types<A...> init() { return {}; }
template <class C> class class_ { public: explicit class_(const std::string& namespaceName, const std::string& className, std::string doc_string = ""); template <class... A> class_& def(A&&... args) { return *this; } template <class... A> class_& def_static(A&&... args) { return *this; } template <class... A> class_& def_property(A&&... args) { return *this; } template <class... A> class_& def_readwrite(A&&... args) { return *this; } template <class... A> class_& def_readonly(A&&... args) { return *this; } template <class... A> class_& def_pickle(A&&... args) { return *this; } };
template <class C> class_<C> selective_class_(const std::string& namespace_name, const std::string& class_name); template <class T> c10::IValue make_custom_class(T&&);
}
