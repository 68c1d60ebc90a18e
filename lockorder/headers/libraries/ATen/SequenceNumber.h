// Parse-only stand-in for PyTorch: ATen/SequenceNumber.h.
#pragma once
#include <c10/macros/Export.h>
#include <cstdint>
namespace at { namespace sequence_number { uint64_t peek(); uint64_t get_and_increment(); } }
