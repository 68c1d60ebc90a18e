// Parse-only stand-in for pybind11/iostream.h.
#pragma once
#include "pybind11.h"
#include <iostream>
namespace pybind11 {
class scoped_ostream_redirect { public: scoped_ostream_redirect(std::ostream& c = std::cout, const object& p = object()); ~scoped_ostream_redirect(); };
class scoped_estream_redirect : public scoped_ostream_redirect { public: scoped_estream_redirect(std::ostream& c = std::cerr, const object& p = object()); };
class_<int> add_ostream_redirect(module_ m, const std::string& name = "ostream_redirect");
}
