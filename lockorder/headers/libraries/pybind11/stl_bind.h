// Parse-only stand-in for pybind11/stl_bind.h.
#pragma once
#include "stl.h"
#include "operators.h"
namespace pybind11 {
template <class V, class H = std::unique_ptr<V>, class... A> class_<V, H> bind_vector(handle scope, const std::string& name, A&&... args);
template <class M, class H = std::unique_ptr<M>, class... A> class_<M, H> bind_map(handle scope, const std::string& name, A&&... args);
}
