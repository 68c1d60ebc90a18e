// Parse-only stand-in for pybind11/embed.h.
#pragma once
#include "pybind11.h"
#include "eval.h"
#define PYBIND11_EMBEDDED_MODULE(name, variable, ...) static void pybind11_init_##name(::pybind11::module_&); void pybind11_init_##name(::pybind11::module_& variable)
namespace pybind11 {
void initialize_interpreter(bool init_signal_handlers = true, int argc = 0, const char* const* argv = nullptr, bool add_program_dir_to_path = true); void finalize_interpreter();
class scoped_interpreter { public: explicit scoped_interpreter(bool init_signal_handlers = true, int argc = 0, const char* const* argv = nullptr, bool add_program_dir_to_path = true); ~scoped_interpreter(); };
}
