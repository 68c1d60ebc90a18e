// Parse-only stand-in for pybind11/attr.h: the attributes that def() and class_ take.
#pragma once
#include "cast.h"
namespace pybind11 {
struct is_method { handle class_; explicit is_method(const handle& c) : class_(c) {} };
struct is_setter {}; struct is_operator {}; struct is_final {}; struct multiple_inheritance {}; struct dynamic_attr {}; struct buffer_protocol {}; struct arithmetic {}; struct prepend {}; struct is_new_style_constructor {};
struct scope { handle value; explicit scope(const handle& s) : value(s) {} };
struct doc { const char* value; explicit doc(const char* v) : value(v) {} };
struct name { const char* value; explicit name(const char* v) : value(v) {} };
struct sibling { handle value; explicit sibling(const handle& v) : value(v.ptr()) {} };
template <class T> struct base {};
template <size_t Nurse, size_t Patient> struct keep_alive {};
struct metaclass { handle value; metaclass() {} explicit metaclass(handle v) : value(v) {} };
struct custom_type_setup { using callback = std::function<void(PyHeapTypeObject*)>; explicit custom_type_setup(callback v) : value(std::move(v)) {} callback value; };
struct module_local { bool value; constexpr explicit module_local(bool v = true) : value(v) {} };
template <class... T> struct call_guard;
template <> struct call_guard<> { using type = detail::void_type; };
template <class T> struct call_guard<T> { using type = T; };
template <class T, class... R> struct call_guard<T, R...> { struct type { T guard; typename call_guard<R...>::type next; }; };
}  // namespace pybind11
