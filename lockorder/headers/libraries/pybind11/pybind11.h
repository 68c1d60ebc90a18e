// Parse-only stand-in for pybind11/pybind11.h: module_, class_, enum_, cpp_function, overrides.
#pragma once
#include "attr.h"
#include "gil.h"
#include "options.h"
namespace pybind11 {
class cpp_function : public function { public: cpp_function(); cpp_function(std::nullptr_t); template <class F, class... E> cpp_function(F&& f, const E&... extra) {} object name() const; };
class module_ : public object {
 public:
  using module_def = PyModuleDef;
  PYBIND11_OBJECT_DEFAULT(module_, object, 0)
  explicit module_(const char* name, const char* doc = nullptr);
  template <class... A> module_& def(const char* name, A&&... args) { return *this; }
  module_ def_submodule(const char* name, const char* doc = nullptr); static module_ import(const char* name); void reload(); void add_object(const char* name, handle obj, bool overwrite = false); static module_ create_extension_module(const char* name, const char* doc, module_def* def);
};
using module = module_;
namespace detail {
class generic_type : public object { public: PYBIND11_OBJECT_DEFAULT(generic_type, object, 0) };
template <class... A> struct initimpl {};
template <class... F> struct factory {};
template <class G, class S> struct pickle_factory {};
struct self_t {}; struct undefined_t {}; struct lostub_op {};
static const self_t self = self_t();
#define LOSTUB_SELF2(op) \
  inline lostub_op operator op(const self_t&, const self_t&) { return {}; } \
  template <class T> lostub_op operator op(const self_t&, const T&) { return {}; } \
  template <class T> lostub_op operator op(const T&, const self_t&) { return {}; }
LOSTUB_SELF2(+) LOSTUB_SELF2(-) LOSTUB_SELF2(*) LOSTUB_SELF2(/) LOSTUB_SELF2(%) LOSTUB_SELF2(<<) LOSTUB_SELF2(>>) LOSTUB_SELF2(&) LOSTUB_SELF2(|) LOSTUB_SELF2(^) LOSTUB_SELF2(==) LOSTUB_SELF2(!=) LOSTUB_SELF2(<) LOSTUB_SELF2(>) LOSTUB_SELF2(<=) LOSTUB_SELF2(>=)
LOSTUB_SELF2(+=) LOSTUB_SELF2(-=) LOSTUB_SELF2(*=) LOSTUB_SELF2(/=) LOSTUB_SELF2(%=) LOSTUB_SELF2(&=) LOSTUB_SELF2(|=) LOSTUB_SELF2(^=) LOSTUB_SELF2(<<=) LOSTUB_SELF2(>>=)
#undef LOSTUB_SELF2
lostub_op operator-(const self_t&); lostub_op operator+(const self_t&); lostub_op operator~(const self_t&); lostub_op operator!(const self_t&); lostub_op abs(const self_t&); lostub_op hash(const self_t&); lostub_op int_(const self_t&); lostub_op float_(const self_t&); lostub_op repr(const self_t&); lostub_op str(const self_t&);
template <class T, class SFINAE = void> struct is_holder_type : std::false_type {};
void call_operator_delete(void*, size_t, size_t);
function get_type_override(const void*, const type_info*, const char*);
}  // namespace detail
using detail::self; using detail::generic_type; using detail::hash;
template <class... A> detail::initimpl<A...> init() { return {}; }
template <class F> detail::factory<F> init(F&& f) { return {}; }
template <class F, class G> detail::factory<F, G> init(F&& f, G&& g) { return {}; }
template <class... A> detail::initimpl<A...> init_alias() { return {}; }
template <class G, class S> detail::pickle_factory<G, S> pickle(G&& get, S&& set) { return {}; }
template <class T, class... Options> class class_ : public detail::generic_type {
 public:
  using type = T; using type_alias = T; using holder_type = std::unique_ptr<T>;
  PYBIND11_OBJECT(class_, generic_type, 0)
  template <class... E> class_(handle scope, const char* name, E&&... extra) {}
  template <class... A> class_& def(A&&... args) { return *this; } template <class... A> class_& def_static(const char* name, A&&... args) { return *this; } template <class... A> class_& def_cast(A&&... args) { return *this; } template <class F> class_& def_buffer(F&& f) { return *this; }
  template <class... A> class_& def_readwrite(const char* name, A&&... args) { return *this; } template <class... A> class_& def_readonly(const char* name, A&&... args) { return *this; } template <class... A> class_& def_readwrite_static(const char* name, A&&... args) { return *this; } template <class... A> class_& def_readonly_static(const char* name, A&&... args) { return *this; }
  template <class... A> class_& def_property(const char* name, A&&... args) { return *this; } template <class... A> class_& def_property_readonly(const char* name, A&&... args) { return *this; } template <class... A> class_& def_property_static(const char* name, A&&... args) { return *this; } template <class... A> class_& def_property_readonly_static(const char* name, A&&... args) { return *this; }
};
template <class T> class enum_ : public class_<T> {
 public:
  template <class... E> enum_(const handle& scope, const char* name, const E&... extra) : class_<T>(scope, name) {}
  enum_& export_values(); enum_& value(char const* name, T value, const char* doc = nullptr); enum_& finalize();
};
template <class T> class exception : public object { public: exception() = default; exception(handle scope, const char* name, handle base = handle()); void operator()(const char* message) const; };
template <class T> exception<T>& register_exception(handle scope, const char* name, handle base = handle());
template <class T> exception<T>& register_local_exception(handle scope, const char* name, handle base = handle());
template <class F> void register_exception_translator(F&& translator) {}
template <class F> void register_local_exception_translator(F&& translator) {}
void set_error(const handle& type, const char* message);
template <class I, class O> void implicitly_convertible();
template <class... A> void print(A&&... args) {}
template <return_value_policy P = return_value_policy::reference_internal, class... A> iterator make_iterator(A&&... args) { return iterator(); }
template <return_value_policy P = return_value_policy::reference_internal, class... A> iterator make_key_iterator(A&&... args) { return iterator(); }
template <return_value_policy P = return_value_policy::reference_internal, class... A> iterator make_value_iterator(A&&... args) { return iterator(); }
template <class T> function get_override(const T* this_ptr, const char* name);
template <class T> function get_overload(const T* this_ptr, const char* name);
void* get_shared_data(const std::string&); void* set_shared_data(const std::string&, void*); template <class T> T& get_or_create_shared_data(const std::string&);
struct mod_gil_not_used { explicit mod_gil_not_used(bool = true) {} };
namespace detail { template <class R> R lostub_override_result(object o); }
}  // namespace pybind11
#define LOSTUB_PB_OVERRIDE(ret, cname, pyname, ...) \
  { ::pybind11::gil_scoped_acquire gil; ::pybind11::function override = ::pybind11::get_override(static_cast<const cname*>(this), pyname); if (override) return ::pybind11::detail::lostub_override_result<ret>(override(__VA_ARGS__)); }
#define PYBIND11_OVERRIDE_IMPL(ret, cname, pyname, ...) LOSTUB_PB_OVERRIDE(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), pyname, __VA_ARGS__)
#define PYBIND11_OVERRIDE_NAME(ret, cname, pyname, fn, ...) LOSTUB_PB_OVERRIDE(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), pyname, __VA_ARGS__) return cname::fn(__VA_ARGS__)
#define PYBIND11_OVERRIDE_PURE_NAME(ret, cname, pyname, fn, ...) LOSTUB_PB_OVERRIDE(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), pyname, __VA_ARGS__) ::pybind11::pybind11_fail(pyname)
#define PYBIND11_OVERRIDE(ret, cname, fn, ...) PYBIND11_OVERRIDE_NAME(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), #fn, fn, __VA_ARGS__)
#define PYBIND11_OVERRIDE_PURE(ret, cname, fn, ...) PYBIND11_OVERRIDE_PURE_NAME(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), #fn, fn, __VA_ARGS__)
#define PYBIND11_OVERLOAD_INT(ret, cname, pyname, ...) PYBIND11_OVERRIDE_IMPL(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), pyname, __VA_ARGS__)
#define PYBIND11_OVERLOAD_NAME(ret, cname, pyname, fn, ...) PYBIND11_OVERRIDE_NAME(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), pyname, fn, __VA_ARGS__)
#define PYBIND11_OVERLOAD_PURE_NAME(ret, cname, pyname, fn, ...) PYBIND11_OVERRIDE_PURE_NAME(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), pyname, fn, __VA_ARGS__)
#define PYBIND11_OVERLOAD(ret, cname, fn, ...) PYBIND11_OVERRIDE(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), fn, __VA_ARGS__)
#define PYBIND11_OVERLOAD_PURE(ret, cname, fn, ...) PYBIND11_OVERRIDE_PURE(PYBIND11_TYPE(ret), PYBIND11_TYPE(cname), fn, __VA_ARGS__)
#define PYBIND11_MODULE(name, variable, ...) \
  static void pybind11_init_##name(::pybind11::module_&); \
  extern "C" PyObject* PyInit_##name() { ::pybind11::module_ m(#name); pybind11_init_##name(m); return m.ptr(); } \
  void pybind11_init_##name(::pybind11::module_& variable)
#define PYBIND11_PLUGIN(name) static PyObject* pybind11_init(); extern "C" PyObject* PyInit_##name() { return pybind11_init(); } PyObject* pybind11_init()
