// Parse-only stand-in for pybind11/gil.h.
#pragma once
#include "detail/common.h"
namespace pybind11 {
class gil_scoped_acquire {
 public:
  gil_scoped_acquire(); ~gil_scoped_acquire();
  gil_scoped_acquire(const gil_scoped_acquire&) = delete; gil_scoped_acquire& operator=(const gil_scoped_acquire&) = delete;
  void inc_ref(); void dec_ref(); void disarm();
 private:
  PyThreadState* tstate;
};
class gil_scoped_release {
 public:
  explicit gil_scoped_release(bool disassoc = false); ~gil_scoped_release();
  gil_scoped_release(const gil_scoped_release&) = delete; gil_scoped_release& operator=(const gil_scoped_release&) = delete;
  void disarm();
 private:
  PyThreadState* tstate;
};
using gil_scoped_acquire_simple = gil_scoped_acquire;
using gil_scoped_release_simple = gil_scoped_release;
template <class T> class gil_safe_call_once_and_store { public: template <class F> gil_safe_call_once_and_store& call_once_and_store_result(F&& f); T& get_stored(); };
}  // namespace pybind11
