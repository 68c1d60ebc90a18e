// Parse-only stand-in for pybind11/numpy.h.
#pragma once
#include "pybind11.h"
#include <array>
#include <complex>
namespace pybind11 {
class dtype : public object { public: PYBIND11_OBJECT_DEFAULT(dtype, object, 0) explicit dtype(const buffer_info&); explicit dtype(const pybind11::str& format); explicit dtype(const std::string& format); explicit dtype(const char* format); explicit dtype(int typenum); template <class T> static dtype of(); static dtype from_args(object); ssize_t itemsize() const; bool has_fields() const; char kind() const; char char_() const; int num() const; };
class array : public buffer {
 public:
  PYBIND11_OBJECT_CVT(array, buffer, 0, 0)
  enum { c_style = 1, f_style = 2, forcecast = 16 };
  array(); using ShapeContainer = detail::any_container<ssize_t>; using StridesContainer = detail::any_container<ssize_t>;
  array(const pybind11::dtype& dt, ShapeContainer shape, StridesContainer strides, const void* ptr = nullptr, handle base = handle()); array(const pybind11::dtype& dt, ShapeContainer shape, const void* ptr = nullptr, handle base = handle()); template <class T> array(ShapeContainer shape, StridesContainer strides, const T* ptr, handle base = handle()); template <class T> array(ShapeContainer shape, const T* ptr, handle base = handle()); template <class T> explicit array(ssize_t count, const T* ptr, handle base = handle());
  pybind11::dtype dtype() const; ssize_t size() const; ssize_t itemsize() const; ssize_t nbytes() const; ssize_t ndim() const; object base() const; const ssize_t* shape() const; ssize_t shape(ssize_t dim) const; const ssize_t* strides() const; ssize_t strides(ssize_t dim) const; int flags() const; bool writeable() const; bool owndata() const;
  template <class... I> const void* data(I... index) const; template <class... I> void* mutable_data(I... index); template <class... I> ssize_t offset_at(I... index) const; array squeeze(); void resize(ShapeContainer shape, bool refcheck = true); array reshape(ShapeContainer shape); static array ensure(handle h, int extra = 0);
};
namespace detail { template <class T, ssize_t D> struct unchecked_ref { template <class... I> T& operator()(I... i) const; T& operator[](ssize_t i) const; template <class... I> T* data(I... i) const; template <class... I> T* mutable_data(I... i) const; ssize_t shape(ssize_t i) const; ssize_t ndim() const; ssize_t size() const; ssize_t nbytes() const; ssize_t itemsize() const; }; }
template <class T, int Flags = array::forcecast> class array_t : public array {
 public:
  using value_type = T;
  array_t(); array_t(handle h, borrowed_t); array_t(handle h, stolen_t); array_t(const object& o); explicit array_t(const buffer_info& info); array_t(ShapeContainer shape, StridesContainer strides, const T* ptr = nullptr, handle base = handle()); explicit array_t(ShapeContainer shape, const T* ptr = nullptr, handle base = handle()); explicit array_t(ssize_t count, const T* ptr = nullptr, handle base = handle());
  template <class... I> const T* data(I... index) const; template <class... I> T* mutable_data(I... index); template <class... I> const T& at(I... index) const; template <class... I> T& mutable_at(I... index); template <ssize_t D = -1> detail::unchecked_ref<T, D> mutable_unchecked() &; template <ssize_t D = -1> detail::unchecked_ref<const T, D> unchecked() const&; static array_t ensure(handle h); array_t reshape(ShapeContainer shape);
};
template <class F> cpp_function vectorize(F&& f);
#define PYBIND11_NUMPY_DTYPE(T, ...)
}
