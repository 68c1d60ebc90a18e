// Parse-only stand-in for PyTorch: ATen/core/Reduction.h.
#pragma once
namespace at { namespace Reduction { enum Reduction { None, Mean, Sum, END }; } }
