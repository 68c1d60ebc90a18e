// Parse-only stand-in for PyTorch: c10/util/DimVector.h.
#pragma once
#include <c10/core/SymInt.h>
#include <c10/util/SmallVector.h>
namespace c10 { constexpr unsigned kDimVectorStaticSize = 5; using DimVector = SmallVector<int64_t, kDimVectorStaticSize>; using SymDimVector = SmallVector<c10::SymInt, kDimVectorStaticSize>; }
