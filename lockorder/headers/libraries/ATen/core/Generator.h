// Parse-only stand-in for PyTorch: ATen/core/Generator.h.
#pragma once
#include <c10/core/GeneratorImpl.h>
#include <c10/util/Optional.h>
#include <c10/util/intrusive_ptr.h>
#include <mutex>
namespace at {
struct Generator { Generator(); explicit Generator(c10::intrusive_ptr<c10::GeneratorImpl> gen_impl); bool defined() const; c10::GeneratorImpl* unsafeGetGeneratorImpl() const; void set_current_seed(uint64_t seed); uint64_t current_seed() const; uint64_t seed(); std::mutex& mutex(); Device device() const; template <class T> T* get() const; };
template <class T, class... A> Generator make_generator(A&&... args); template <class T> T* check_generator(c10::optional<Generator> gen); template <class T> T* get_generator_or_default(const c10::optional<Generator>& gen, const Generator& default_gen);
}
