// Parse-only stand-in for Abseil: absl/random/random.h.
#pragma once
namespace absl { class BitGen { public: typedef unsigned result_type; result_type operator()(); static constexpr unsigned min() { return 0; } static constexpr unsigned max() { return ~0u; } }; typedef BitGen InsecureBitGen; template <class T, class G> T Uniform(G&&, T, T); }
