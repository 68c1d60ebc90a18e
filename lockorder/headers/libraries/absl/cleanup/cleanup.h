// Parse-only stand-in for Abseil: absl/cleanup/cleanup.h.
#pragma once
#include <utility>
namespace absl { class Cleanup { public: template <class F> Cleanup(F) {} ~Cleanup() {} void Cancel() &&; void Invoke() &&; }; template <class F> Cleanup MakeCleanup(F f) { return Cleanup(f); } }
