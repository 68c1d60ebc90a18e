// Parse-only stand-in for pybind11/pytypes.h: handles, objects and the wrappers of built-in types.
#pragma once
#include "detail/common.h"
#include "buffer_info.h"
namespace pybind11 {
namespace detail {
template <class T> T lostub_make(); class pyobject_tag {}; class accessor; class args_proxy; class generic_iterator; class dict_iterator;
using obj_attr_accessor = accessor; using str_attr_accessor = accessor; using item_accessor = accessor; using sequence_accessor = accessor; using list_accessor = accessor; using tuple_accessor = accessor;
using sequence_iterator = generic_iterator; using tuple_iterator = generic_iterator; using list_iterator = generic_iterator;
template <class D> class object_api : public pyobject_tag {
 public:
  iterator begin() const; iterator end() const;
  template <class K> accessor operator[](K&& key) const;
  template <class K> accessor attr(K&& key) const;
  args_proxy operator*() const;
  template <class T> bool contains(T&& item) const;
  template <return_value_policy policy = return_value_policy::automatic_reference, class... A> object operator()(A&&... args) const;
  template <return_value_policy policy = return_value_policy::automatic_reference, class... A> object call(A&&... args) const;
  template <class O> bool is(const O& other) const; bool is_none() const;
  template <class O> bool equal(const O&) const; template <class O> bool not_equal(const O&) const;
  template <class O> bool operator<(const O&) const; template <class O> bool operator<=(const O&) const; template <class O> bool operator>(const O&) const; template <class O> bool operator>=(const O&) const;
  object operator-() const; object operator~() const;
  template <class O> object operator+(const O&) const; template <class O> object operator-(const O&) const; template <class O> object operator*(const O&) const; template <class O> object operator/(const O&) const; template <class O> object operator|(const O&) const; template <class O> object operator&(const O&) const; template <class O> object operator^(const O&) const; template <class O> object operator<<(const O&) const; template <class O> object operator>>(const O&) const;
  template <class O> object operator+=(const O&); template <class O> object operator-=(const O&); template <class O> object operator*=(const O&); template <class O> object operator/=(const O&); template <class O> object operator|=(const O&); template <class O> object operator&=(const O&);
  pybind11::str str() const; accessor doc() const; int ref_count() const; handle get_type() const; const char* type_name_() const;
};
}  // namespace detail
class handle : public detail::object_api<handle> {
 public:
  handle() = default;
  handle(PyObject* ptr); handle(std::nullptr_t);
  template <class T, class = detail::enable_if_t<!std::is_base_of<handle, T>::value && std::is_convertible<T, PyObject*>::value && !std::is_pointer<T>::value && std::is_class<T>::value>> handle(T& obj);
  PyObject* ptr() const; PyObject*& ptr();
  const handle& inc_ref() const&; const handle& dec_ref() const&;
  template <class T> T cast() const;
  explicit operator bool() const;
  bool operator==(const handle& h) const; bool operator!=(const handle& h) const; bool check() const;
 protected:
  PyObject* m_ptr = nullptr;
};
class object : public handle {
 public:
  struct borrowed_t {}; struct stolen_t {};
  object() = default;
  object(handle h, bool is_borrowed); object(handle h, borrowed_t); object(handle h, stolen_t);
  object(const object&); object(object&&) noexcept; ~object();
  handle release(); object& operator=(const object&); object& operator=(object&&) noexcept;
  template <class T> T cast() const&; template <class T> T cast() &&;
  object& inplace_add(const object&);
};
template <class T> T reinterpret_borrow(handle h);
template <class T> T reinterpret_steal(handle h);
class error_already_set : public std::exception {
 public:
  error_already_set(); error_already_set(const error_already_set&) noexcept; error_already_set(error_already_set&&) noexcept; ~error_already_set() override;
  const char* what() const noexcept override; void restore(); void clear(); void discard_as_unraisable(object err_context); void discard_as_unraisable(const char* err_context);
  bool matches(handle exc) const; const object& type() const; const object& value() const; const object& trace() const;
};
void raise_from(PyObject* type, const char* message); void raise_from(error_already_set& err, PyObject* type, const char* message);
namespace detail {
std::string error_string(); std::string obj_class_name(PyObject*);
class accessor : public object {
 public:
  accessor(); template <class K> accessor(handle obj, K&& key);
  template <class T> accessor& operator=(T&& value) { return *this; }
  accessor(const accessor&); accessor& operator=(const accessor&);
  template <class T> T cast() const; PyObject* ptr() const; object get_object_() const;
};
template <class D> template <class K> accessor object_api<D>::operator[](K&& key) const { return lostub_make<accessor>(); }
template <class D> template <class K> accessor object_api<D>::attr(K&& key) const { return lostub_make<accessor>(); }
template <class D> template <return_value_policy policy, class... A> object object_api<D>::operator()(A&&... args) const { return lostub_make<object>(); }
template <class D> template <return_value_policy policy, class... A> object object_api<D>::call(A&&... args) const { return lostub_make<object>(); }
class args_proxy : public handle { public: handle operator*() const; };
class generic_iterator {
 public:
  using iterator_category = std::input_iterator_tag; using value_type = handle; using reference = handle&; using pointer = handle*; using difference_type = ssize_t;
  const handle operator*() const; const handle* operator->() const; generic_iterator& operator++(); generic_iterator operator++(int); generic_iterator& operator--(); generic_iterator operator+(ssize_t) const; generic_iterator operator-(ssize_t) const; ssize_t operator-(const generic_iterator&) const; generic_iterator& operator+=(ssize_t);
  bool operator==(const generic_iterator&) const; bool operator!=(const generic_iterator&) const; bool operator<(const generic_iterator&) const;
};
class dict_iterator {
 public:
  using iterator_category = std::input_iterator_tag; using value_type = std::pair<handle, handle>; using reference = value_type&; using pointer = value_type*; using difference_type = ssize_t;
  const std::pair<handle, handle> operator*() const; const std::pair<handle, handle>* operator->() const; dict_iterator& operator++(); dict_iterator operator++(int); bool operator==(const dict_iterator&) const; bool operator!=(const dict_iterator&) const;
};
}  // namespace detail
#define PYBIND11_OBJECT_COMMON(Name, Parent, check_fun) \
 public: \
  Name(handle h, borrowed_t); Name(handle h, stolen_t); Name(handle h, bool is_borrowed); static bool check_(handle h); bool check() const;
#define PYBIND11_OBJECT_CVT(Name, Parent, check_fun, convert_fun) PYBIND11_OBJECT_COMMON(Name, Parent, check_fun) Name(const object& o); Name(object&& o);
#define PYBIND11_OBJECT(Name, Parent, check_fun) PYBIND11_OBJECT_COMMON(Name, Parent, check_fun) Name(const object& o); Name(object&& o);
#define PYBIND11_OBJECT_DEFAULT(Name, Parent, check_fun) PYBIND11_OBJECT(Name, Parent, check_fun) Name();
#define PYBIND11_OBJECT_CVT_DEFAULT(Name, Parent, check_fun, convert_fun) PYBIND11_OBJECT_CVT(Name, Parent, check_fun, convert_fun) Name();
class iterator : public object {
 public:
  using iterator_category = std::input_iterator_tag; using difference_type = ssize_t; using value_type = handle; using reference = const handle&; using pointer = const handle*;
  PYBIND11_OBJECT_DEFAULT(iterator, object, 0)
  iterator& operator++(); iterator operator++(int); const handle operator*() const; const handle* operator->() const; static iterator sentinel(); friend bool operator==(const iterator&, const iterator&); friend bool operator!=(const iterator&, const iterator&);
};
class type : public object { public: PYBIND11_OBJECT(type, object, 0) static type of(handle h); static handle handle_of(handle h); template <class T> static type of(); template <class T> static handle handle_of(); };
class iterable : public object { public: PYBIND11_OBJECT_DEFAULT(iterable, object, 0) };
class str : public object {
 public:
  PYBIND11_OBJECT_CVT_DEFAULT(str, object, 0, 0)
  template <class N> str(const char* c, const N& n); str(const char* c); str(const std::string& s); explicit str(const bytes& b); explicit str(handle h);
#if __cplusplus >= 201703L
  template <class T, class = detail::enable_if_t<std::is_same<T, std::string_view>::value>> str(T s);
#endif
  operator std::string() const; template <class... A> str format(A&&... args) const;
};
inline namespace literals { str operator"" _s(const char*, size_t); }
class bytes : public object { public: PYBIND11_OBJECT_DEFAULT(bytes, object, 0) template <class N> bytes(const char* c, const N& n); bytes(const char* c); bytes(const std::string& s); explicit bytes(const pybind11::str& s); operator std::string() const; };
class bytearray : public object { public: PYBIND11_OBJECT_DEFAULT(bytearray, object, 0) template <class N> bytearray(const char* c, const N& n); bytearray(const std::string& s); size_t size() const; operator std::string() const; };
class none : public object { public: PYBIND11_OBJECT_DEFAULT(none, object, 0) };
class ellipsis : public object { public: PYBIND11_OBJECT_DEFAULT(ellipsis, object, 0) };
class bool_ : public object { public: PYBIND11_OBJECT_CVT_DEFAULT(bool_, object, 0, 0) bool_(bool x); operator bool() const; };
class int_ : public object { public: PYBIND11_OBJECT_CVT_DEFAULT(int_, object, 0, 0) template <class T, class = detail::enable_if_t<std::is_integral<T>::value || std::is_enum<T>::value>> int_(T v); template <class T, class = detail::enable_if_t<std::is_integral<T>::value>> operator T() const; };
class float_ : public object { public: PYBIND11_OBJECT_CVT_DEFAULT(float_, object, 0, 0) float_(float v); float_(double v); operator float() const; operator double() const; };
class weakref : public object { public: PYBIND11_OBJECT_DEFAULT(weakref, object, 0) explicit weakref(handle obj, handle callback = {}); };
class slice : public object {
 public:
  PYBIND11_OBJECT_DEFAULT(slice, object, 0)
  template <class A, class B, class C> slice(A start, B stop, C step); bool compute(size_t, size_t*, size_t*, size_t*, size_t*) const; bool compute(ssize_t, ssize_t*, ssize_t*, ssize_t*, ssize_t*) const;
};
class capsule : public object {
 public:
  PYBIND11_OBJECT_DEFAULT(capsule, object, 0)
  explicit capsule(const void* value, const char* name = nullptr, void (*destructor)(PyObject*) = nullptr); capsule(const void* value, void (*destructor)(void*)); capsule(const void* value, const char* name, void (*destructor)(void*)); explicit capsule(void (*destructor)());
  template <class T> operator T*() const; template <class T = void> T* get_pointer() const; void set_pointer(const void*); const char* name() const; void set_name(const char*);
};
class tuple : public object {
 public:
  PYBIND11_OBJECT_CVT(tuple, object, 0, 0)
  template <class S = size_t, class = detail::enable_if_t<std::is_integral<S>::value>> explicit tuple(S size = 0);
  size_t size() const; bool empty() const; template <class I> detail::accessor operator[](I&& i) const { return detail::lostub_make<detail::accessor>(); } detail::generic_iterator begin() const; detail::generic_iterator end() const;
};
class dict : public object {
 public:
  PYBIND11_OBJECT_CVT_DEFAULT(dict, object, 0, 0)
  explicit dict(arg_v a); template <class A, class B, class... R> dict(A a, B b, R... r);
  size_t size() const; bool empty() const; detail::dict_iterator begin() const; detail::dict_iterator end() const; void clear(); template <class T> bool contains(T&& key) const;
};
class sequence : public object { public: PYBIND11_OBJECT_DEFAULT(sequence, object, 0) size_t size() const; bool empty() const; template <class I> detail::accessor operator[](I&& i) const { return detail::lostub_make<detail::accessor>(); } detail::generic_iterator begin() const; detail::generic_iterator end() const; };
class list : public object {
 public:
  PYBIND11_OBJECT_CVT(list, object, 0, 0)
  template <class S = size_t, class = detail::enable_if_t<std::is_integral<S>::value>> explicit list(S size = 0);
  size_t size() const; bool empty() const; template <class I> detail::accessor operator[](I&& i) const { return detail::lostub_make<detail::accessor>(); } detail::generic_iterator begin() const; detail::generic_iterator end() const; template <class T> void append(T&& val) {} template <class I, class T> void insert(const I& index, T&& val); void clear();
};
class args : public tuple { public: PYBIND11_OBJECT_DEFAULT(args, tuple, 0) };
class kwargs : public dict { public: PYBIND11_OBJECT_DEFAULT(kwargs, dict, 0) };
class anyset : public object { public: PYBIND11_OBJECT(anyset, object, 0) size_t size() const; bool empty() const; template <class T> bool contains(T&& val) const; };
class set : public anyset { public: PYBIND11_OBJECT_CVT(set, anyset, 0, 0) set(); template <class T> bool add(T&& val) { return true; } void clear(); };
class frozenset : public anyset { public: PYBIND11_OBJECT_CVT(frozenset, anyset, 0, 0) };
class function : public object { public: PYBIND11_OBJECT_DEFAULT(function, object, 0) handle cpp_function() const; bool is_cpp_function() const; };
class staticmethod : public object { public: PYBIND11_OBJECT_CVT(staticmethod, object, 0, 0) };
class buffer : public object { public: PYBIND11_OBJECT_DEFAULT(buffer, object, 0) buffer_info request(bool writable = false) const; };
class memoryview : public object {
 public:
  PYBIND11_OBJECT_CVT(memoryview, object, 0, 0)
  explicit memoryview(const buffer_info& info); template <class... A> static memoryview from_buffer(A&&...); static memoryview from_memory(void* mem, ssize_t size, bool readonly = false); static memoryview from_memory(const void* mem, ssize_t size);
};
template <class T> bool isinstance(handle obj); bool isinstance(handle obj, handle type);
bool hasattr(handle obj, handle name); bool hasattr(handle obj, const char* name); void delattr(handle obj, handle name); void delattr(handle obj, const char* name);
object getattr(handle obj, handle name); object getattr(handle obj, const char* name); object getattr(handle obj, handle name, handle default_); object getattr(handle obj, const char* name, handle default_); void setattr(handle obj, handle name, handle value); void setattr(handle obj, const char* name, handle value);
std::ostream& operator<<(std::ostream& os, const handle& obj); ssize_t hash(handle obj); size_t len(handle h); size_t len_hint(handle h); str repr(handle h); iterator iter(handle obj); dict globals();
namespace detail { handle get_function(handle value); PyObject* dict_getitemstring(PyObject*, const char*); PyObject* dict_getitem(PyObject*, PyObject*); }
}  // namespace pybind11
