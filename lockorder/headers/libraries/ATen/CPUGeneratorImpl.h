// Parse-only stand-in for PyTorch: ATen/CPUGeneratorImpl.h.
#pragma once
#include <ATen/core/Generator.h>
namespace at { struct CPUGeneratorImpl : public c10::GeneratorImpl { uint32_t random(); uint64_t random64(); }; namespace detail { const Generator& getDefaultCPUGenerator(); Generator createCPUGenerator(uint64_t seed_val = 0); } }
