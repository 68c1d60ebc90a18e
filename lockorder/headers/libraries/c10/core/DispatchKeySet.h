// Parse-only stand-in for PyTorch: c10/core/DispatchKeySet.h.
#pragma once
#include <c10/core/DispatchKey.h>
#include <initializer_list>
namespace c10 { class DispatchKeySet final { public: DispatchKeySet() = default; explicit DispatchKeySet(DispatchKey k); DispatchKeySet(std::initializer_list<DispatchKey> ks); bool has(DispatchKey t) const; bool has_all(DispatchKeySet ks) const; bool has_any(DispatchKeySet ks) const; DispatchKeySet operator|(DispatchKeySet) const; DispatchKeySet operator&(DispatchKeySet) const; DispatchKeySet operator-(DispatchKeySet) const; DispatchKeySet add(DispatchKey t) const; DispatchKeySet remove(DispatchKey t) const; bool empty() const; DispatchKey highestPriorityTypeId() const; }; bool isBackendDispatchKey(DispatchKey t); }
