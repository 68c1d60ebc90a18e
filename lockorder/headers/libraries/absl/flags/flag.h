// Parse-only stand-in for Abseil: absl/flags/flag.h.
#pragma once
#include <string>
namespace absl { template <class T> class Flag { public: T v; }; template <class T> T GetFlag(const Flag<T>& f) { return f.v; } template <class T, class V> void SetFlag(Flag<T>* f, const V&) {} }
#define ABSL_FLAG(T, n, d, h) absl::Flag<T> FLAGS_##n
#define ABSL_DECLARE_FLAG(T, n) extern absl::Flag<T> FLAGS_##n
