// Parse-only stand-in for PyTorch: ATen/core/functional.h.
#pragma once
#include <c10/util/ArrayRef.h>
#include <functional>
#include <vector>
namespace c10 {
template <class F, class T> auto fmap(const T& inputs, const F& fn) -> std::vector<decltype(fn(*inputs.begin()))> { std::vector<decltype(fn(*inputs.begin()))> r; for (const auto& i : inputs) r.push_back(fn(i)); return r; }
template <class R, class T> std::vector<R> fmap(const T& inputs); template <class F, class T> T filter(const T& inputs, const F& fn) { return inputs; }
}
