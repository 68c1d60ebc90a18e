// Parse-only stand-in for pybind11/cast.h: type casters, arguments, cast().
#pragma once
#include "pytypes.h"
namespace pybind11 {
namespace detail {
struct descr {}; constexpr descr operator+(descr, descr) { return {}; }
template <size_t N> constexpr descr const_name(char const (&)[N]) { return {}; }
template <size_t N> constexpr descr _(char const (&)[N]) { return {}; }
template <bool B, class T, class U> constexpr descr const_name(const T&, const U&) { return {}; }
template <bool B, class T, class U> constexpr descr _(const T&, const U&) { return {}; }
template <size_t N> constexpr descr const_name() { return {}; }
template <size_t N> constexpr descr _() { return {}; }
template <class T> constexpr descr const_name() { return {}; }
template <class T> constexpr descr _() { return {}; }
template <class... D> constexpr descr concat(const D&...) { return {}; }
template <class D> constexpr descr type_descr(const D&) { return {}; }
struct type_info; struct instance; struct value_and_holder; struct function_call; struct function_record; struct internals; struct local_internals;
template <class T> using cast_op_type_ = T&;
template <class T> using movable_cast_op_type = T&;
template <class T> using itype_of = intrinsic_t<T>;
class type_caster_generic {
 public:
  type_caster_generic(const std::type_info&); type_caster_generic(const type_info*);
  bool load(handle src, bool convert);
  static handle cast(const void* src, return_value_policy policy, handle parent, const type_info* t, void* (*copy)(const void*), void* (*move)(const void*), const void* existing = nullptr);
  void* value; const type_info* typeinfo;
};
template <class T> class type_caster_base : public type_caster_generic {
 public:
  using itype = intrinsic_t<T>; static constexpr descr name{};
  type_caster_base(); explicit type_caster_base(const std::type_info&);
  bool load(handle src, bool convert);
  template <class U> static handle cast(U&& src, return_value_policy policy, handle parent); static handle cast_holder(const itype* src, const void* holder);
  template <class U> using cast_op_type = U; operator itype*(); operator itype&();
};
template <class T, class SFINAE = void> class type_caster : public type_caster_base<T> {};
template <class T> using make_caster = type_caster<intrinsic_t<T>>;
template <class T> T cast_op(make_caster<T>& caster);
template <class T> T cast_op(make_caster<T>&& caster);
template <class type, class holder_type, class SFINAE = void> struct copyable_holder_caster : public type_caster_base<type> { bool load(handle src, bool); static handle cast(const holder_type& src, return_value_policy, handle); explicit operator holder_type&(); explicit operator holder_type*(); holder_type holder; };
template <class type, class holder_type, class SFINAE = void> struct move_only_holder_caster { static handle cast(holder_type&& src, return_value_policy, handle); };
template <class type, class holder_type> struct type_caster_holder : copyable_holder_caster<type, holder_type> {};
template <class T, bool V = false> struct always_construct_holder : bool_constant<V> {};
template <class T, class SFINAE = void> struct is_copy_constructible : std::is_copy_constructible<T> {};
template <class T> struct pyobject_caster { T value; bool load(handle src, bool); static handle cast(const handle& src, return_value_policy, handle); };
template <class T> struct move_always : std::false_type {}; template <class T> struct move_if_unreferenced : std::false_type {}; template <class T> struct handle_type_name { static constexpr descr name{}; };
template <class V, class E> struct list_caster { using value_conv = make_caster<E>; V value; static constexpr descr name{}; bool load(handle src, bool convert); template <class T> static handle cast(T&& src, return_value_policy policy, handle parent); operator V*(); operator V&(); template <class T> using cast_op_type = T; };
template <class V, class E, bool R, size_t S = 0> struct array_caster : list_caster<V, E> {};
template <class T, class K> struct set_caster : list_caster<T, K> {};
template <class T, class K, class V> struct map_caster : list_caster<T, V> {};
template <class T, class V = void> struct optional_caster : list_caster<T, V> {};
template <class T> struct variant_caster : list_caster<T, void> {};
template <class... A> class argument_loader { public: bool load_args(function_call&); template <class R, class G, class F> R call(F&& f) &&; };
const type_info* get_type_info(PyTypeObject*); type_info* get_type_info(const std::type_index&, bool throw_if_missing = false); handle get_type_handle(const std::type_info&, bool throw_if_missing); std::vector<type_info*> const& all_type_info(PyTypeObject*); internals& get_internals(); handle get_object_handle(const void*, const type_info*); bool register_instance(instance*, void*, const type_info*); std::string get_fully_qualified_tp_name(PyTypeObject*); void clean_type_id(std::string&); void keep_alive_impl(handle nurse, handle patient); void add_patient(PyObject*, PyObject*); PyTypeObject* make_static_property_type(); PyTypeObject* make_default_metaclass();
template <class T> std::string type_id_(); bool deregister_instance(instance*, void*, const type_info*);
struct internals { std::unordered_map<std::type_index, type_info*> registered_types_cpp; std::unordered_map<PyTypeObject*, std::vector<type_info*>> registered_types_py; std::unordered_map<std::string, void*> shared_data; PyTypeObject* static_property_type; PyTypeObject* default_metaclass; PyObject* instance_base; };
struct type_info { PyTypeObject* type; const std::type_info* cpptype; size_t type_size, type_align, holder_size_in_ptrs; void* (*operator_new)(size_t); bool simple_type, default_holder, module_local; };
struct instance { PyObject ob_base; void* simple_value_holder[2]; PyObject* weakrefs; bool owned; };
struct value_and_holder { instance* inst; const type_info* type; void** vh; template <class V = void> V*& value_ptr() const; template <class H> H& holder() const; bool holder_constructed() const; explicit operator bool() const; };
struct function_call { handle parent, init_self; std::vector<handle> args; std::vector<bool> args_convert; object args_ref, kwargs_ref; };
}  // namespace detail
template <class T> std::string type_id();
#define PYBIND11_TYPE_CASTER(type, py_name) \
 protected: \
  type value; \
 public: \
  static constexpr ::pybind11::detail::descr name = py_name; \
  operator type*() { return &value; } \
  operator type&() { return value; } \
  template <class T_> using cast_op_type = T_
#define PYBIND11_DECLARE_HOLDER_TYPE(type, holder_type, ...) \
  namespace pybind11 { namespace detail { \
  template <typename type> struct always_construct_holder<holder_type> : bool_constant<true> {}; \
  template <typename type> class type_caster<holder_type> : public type_caster_holder<type, holder_type> {}; } }
#define PYBIND11_MAKE_OPAQUE(...) namespace pybind11 { namespace detail { template <> class type_caster<__VA_ARGS__> : public type_caster_base<__VA_ARGS__> {}; } }
template <class T> T cast(const handle& h);
template <class T> T cast(object&& o);
template <class T, class = detail::enable_if_t<!std::is_void<T>::value>> object cast(T&& value, return_value_policy policy = return_value_policy::automatic_reference, handle parent = handle()) { return object(); }
template <class T> T move(object&& obj);
template <return_value_policy policy = return_value_policy::automatic_reference, class... A> tuple make_tuple(A&&... args) { return tuple(); }
struct arg {
  constexpr explicit arg(const char* name = nullptr) : name(name) {}
  template <class T> arg_v operator=(T&& value) const; arg& noconvert(bool flag = true); arg& none(bool flag = true);
  const char* name;
};
struct arg_v : arg { template <class T> arg_v(const char* name, T&& x, const char* descr = nullptr); template <class T> arg_v(const arg& base, T&& x, const char* descr = nullptr); arg_v& noconvert(bool flag = true); arg_v& none(bool flag = true); object value; const char* descr; };
struct kw_only {}; struct pos_only {};
inline namespace literals { arg operator"" _a(const char* name, size_t); }
class error_scope { public: PyObject *type, *value, *trace; error_scope(); ~error_scope(); };
}  // namespace pybind11
