// Parse-only stand-in for PyTorch: c10/core/impl/GPUTrace.h.
#pragma once
#include <atomic>
namespace c10 { namespace impl { struct PyInterpreter; struct GPUTrace { static bool haveState; static const PyInterpreter* get_trace(); static void set_trace(const PyInterpreter*); }; } }
