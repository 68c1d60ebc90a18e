// Parse-only stand-in for PyTorch: c10/core/Layout.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
#include <ostream>
namespace c10 { enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged, NumOptions }; constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr, kMkldnn = Layout::Mkldnn; std::ostream& operator<<(std::ostream& stream, Layout layout); }
