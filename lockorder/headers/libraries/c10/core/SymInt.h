// Parse-only stand-in for PyTorch: c10/core/SymInt.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <cstdint>
#include <ostream>
namespace c10 { class SymInt { public: SymInt(int64_t d); SymInt(); int64_t guard_int(const char* file, int64_t line) const; int64_t expect_int() const; bool is_symbolic() const; operator int64_t() const; }; using SymIntArrayRef = ArrayRef<SymInt>; std::ostream& operator<<(std::ostream& os, const SymInt& s); }
