// Parse-only stand-in for pybind11/buffer_info.h.
#pragma once
#include "detail/common.h"
namespace pybind11 {
struct buffer_info {
  void* ptr; ssize_t itemsize, size; std::string format; ssize_t ndim; std::vector<ssize_t> shape, strides; bool readonly;
  buffer_info();
  buffer_info(void* ptr, ssize_t itemsize, const std::string& format, ssize_t ndim, detail::any_container<ssize_t> shape, detail::any_container<ssize_t> strides, bool readonly = false);
  template <class T> buffer_info(T* ptr, detail::any_container<ssize_t> shape, detail::any_container<ssize_t> strides, bool readonly = false);
  buffer_info(void* ptr, ssize_t itemsize, const std::string& format, ssize_t size, bool readonly = false);
  template <class T> buffer_info(T* ptr, ssize_t size, bool readonly = false);
  explicit buffer_info(Py_buffer* view, bool ownview = true);
  Py_buffer* view() const; template <class T> bool item_type_is_equivalent_to() const;
};
template <class T, class S = void> struct format_descriptor { static std::string format(); static constexpr char value[2] = "?"; static constexpr char c = '?'; };
}  // namespace pybind11
