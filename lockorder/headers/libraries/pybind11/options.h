// Parse-only stand-in for pybind11/options.h.
#pragma once
#include "detail/common.h"
namespace pybind11 { class options { public: options(); ~options(); options& disable_user_defined_docstrings() &; options& enable_user_defined_docstrings() &; options& disable_function_signatures() &; options& enable_function_signatures() &; options& disable_enum_members_docstring() &; }; }
