// Parse-only stand-in for PyTorch: c10/core/InferenceMode.h.
#pragma once
#include <c10/macros/Export.h>
namespace c10 { struct InferenceMode { InferenceMode(bool enabled = true); ~InferenceMode(); static bool is_enabled(); }; }
