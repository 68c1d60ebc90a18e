// Parse-only stand-in for PyTorch: torch/csrc/utils/cpp_stacktraces.h.
#pragma once
#include <torch/csrc/Export.h>
namespace torch { bool get_cpp_stacktraces_enabled(); bool get_disable_addr2line(); }
