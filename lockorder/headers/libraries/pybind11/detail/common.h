// Parse-only stand-in for pybind11/detail/common.h: version, policies, traits, exceptions.
#pragma once
#include <Python.h>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
#define PYBIND11_VERSION_MAJOR 2
#define PYBIND11_VERSION_MINOR 13
#define PYBIND11_VERSION_PATCH 6
#define PYBIND11_VERSION_HEX 0x020D0600
#define PYBIND11_NAMESPACE pybind11
#define PYBIND11_NAMESPACE_BEGIN(n) namespace n {
#define PYBIND11_NAMESPACE_END(n) }
#define PYBIND11_EXPORT
#define PYBIND11_EXPORT_EXCEPTION
#define PYBIND11_NOINLINE
#define PYBIND11_NOINLINE_DISABLED
#define PYBIND11_INLINE inline
#define PYBIND11_DEPRECATED(r)
#define PYBIND11_MAYBE_UNUSED
#define PYBIND11_UNUSED
#define PYBIND11_CPP14
#define PYBIND11_CPP17
#define PYBIND11_HAS_OPTIONAL 1
#define PYBIND11_HAS_VARIANT 1
#define PYBIND11_HAS_STRING_VIEW 1
#define PYBIND11_HAS_FILESYSTEM 1
#define PYBIND11_STRINGIFY(x) #x
#define PYBIND11_TOSTRING(x) PYBIND11_STRINGIFY(x)
#define PYBIND11_CONCAT(a, b) a##b
#define PYBIND11_EXPAND_SIDE_EFFECTS(...) (void)std::initializer_list<int>{((void)(__VA_ARGS__), 0)...}
#define PYBIND11_TYPE(...) __VA_ARGS__
#define PYBIND11_BYTES_CHECK PyBytes_Check
#define PYBIND11_LONG_AS_LONGLONG(o) PyLong_AsLongLong(o)
namespace pybind11 {
using ssize_t = Py_ssize_t;
using size_t = std::size_t;
enum class return_value_policy : uint8_t { automatic, automatic_reference, take_ownership, copy, move, reference, reference_internal };
class handle; class object; class str; class bytes; class iterator; class function; class dict; class list; class tuple; class args; class kwargs; class type; class none; class module_; class cpp_function; class capsule; class slice; struct arg; struct arg_v;
struct args_proxy_tag {};
namespace detail {
template <bool B, class T = void> using enable_if_t = typename std::enable_if<B, T>::type;
template <bool B, class T, class F> using conditional_t = typename std::conditional<B, T, F>::type;
template <class T> using remove_cv_t = typename std::remove_cv<T>::type;
template <class T> using remove_reference_t = typename std::remove_reference<T>::type;
template <bool B> using bool_constant = std::integral_constant<bool, B>;
template <class T> struct negation : bool_constant<!T::value> {};
template <class... T> struct all_of : std::true_type {};
template <class... T> struct any_of : std::false_type {};
template <class...> struct void_t_impl { using type = void; };
template <class... T> using void_t = typename void_t_impl<T...>::type;
template <class T> struct intrinsic_type { using type = T; };
template <class T> struct intrinsic_type<const T> { using type = typename intrinsic_type<T>::type; };
template <class T> struct intrinsic_type<T*> { using type = typename intrinsic_type<T>::type; };
template <class T> struct intrinsic_type<T&> { using type = typename intrinsic_type<T>::type; };
template <class T> struct intrinsic_type<T&&> { using type = typename intrinsic_type<T>::type; };
template <class T> using intrinsic_t = typename intrinsic_type<T>::type;
struct void_type {};
template <class... T> struct type_list {};
template <class T> using is_lambda = bool_constant<true>;
template <class T> using is_pyobject = std::is_base_of<handle, remove_reference_t<T>>;
template <class T> constexpr size_t constexpr_sum(T n) { return n; }
template <class T> class any_container {
 public:
  any_container() = default;
  template <class It, class = typename std::iterator_traits<It>::iterator_category> any_container(It, It);
  template <class C, class = enable_if_t<std::is_class<C>::value>> any_container(const C&);
  template <class U> any_container(const std::initializer_list<U>&);
  any_container(std::initializer_list<T>);
  any_container(std::vector<T>&&);
  operator std::vector<T>&&() &&;
  std::vector<T>& operator*(); std::vector<T>* operator->();
 private:
  std::vector<T> v;
};
template <class... A> struct overload_cast_impl {
  template <class R> constexpr auto operator()(R (*f)(A...)) const noexcept -> decltype(f) { return f; }
  template <class R, class C> constexpr auto operator()(R (C::*f)(A...), std::false_type = {}) const noexcept -> decltype(f) { return f; }
  template <class R, class C> constexpr auto operator()(R (C::*f)(A...) const, std::true_type) const noexcept -> decltype(f) { return f; }
};
}  // namespace detail
template <class... A> constexpr detail::overload_cast_impl<A...> overload_cast{};
static constexpr auto const_ = std::true_type{};
template <class T> struct nodelete_t {};
struct nodelete { template <class T> void operator()(T*) {} };
class builtin_exception : public std::runtime_error { public: using std::runtime_error::runtime_error; virtual void set_error() const = 0; };
#define PYBIND11_RUNTIME_EXCEPTION(n, t) class n : public builtin_exception { public: using builtin_exception::builtin_exception; n() : n("") {} void set_error() const override; };
PYBIND11_RUNTIME_EXCEPTION(stop_iteration, 0)
PYBIND11_RUNTIME_EXCEPTION(index_error, 0)
PYBIND11_RUNTIME_EXCEPTION(key_error, 0)
PYBIND11_RUNTIME_EXCEPTION(value_error, 0)
PYBIND11_RUNTIME_EXCEPTION(type_error, 0)
PYBIND11_RUNTIME_EXCEPTION(buffer_error, 0)
PYBIND11_RUNTIME_EXCEPTION(import_error, 0)
PYBIND11_RUNTIME_EXCEPTION(attribute_error, 0)
PYBIND11_RUNTIME_EXCEPTION(cast_error, 0)
PYBIND11_RUNTIME_EXCEPTION(reference_cast_error, 0)
[[noreturn]] void pybind11_fail(const char*);
[[noreturn]] void pybind11_fail(const std::string&);
}  // namespace pybind11
