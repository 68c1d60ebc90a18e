// Parse-only stand-in for Abseil: absl/memory/memory.h.
#pragma once
#include <memory>
namespace absl { template <class T> std::unique_ptr<T> WrapUnique(T* p); using std::make_unique; template <class T> T* RawPtr(T* p) { return p; } template <class T> std::shared_ptr<T> ShareUniquePtr(std::unique_ptr<T>&&); }
