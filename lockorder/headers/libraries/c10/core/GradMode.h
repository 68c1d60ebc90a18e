// Parse-only stand-in for PyTorch: c10/core/GradMode.h.
#pragma once
#include <c10/macros/Macros.h>
namespace c10 { struct GradMode { static bool is_enabled(); static void set_enabled(bool enabled); }; struct AutoGradMode { AutoGradMode(bool enabled); ~AutoGradMode(); bool prev_mode; }; struct NoGradGuard : public AutoGradMode { NoGradGuard() : AutoGradMode(false) {} }; }
