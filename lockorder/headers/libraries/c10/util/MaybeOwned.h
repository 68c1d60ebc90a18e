// Parse-only stand-in for PyTorch: c10/util/MaybeOwned.h.
#pragma once
#include <c10/macros/Macros.h>
#include <utility>
namespace c10 { template <class T> class MaybeOwned final { public: MaybeOwned(); static MaybeOwned borrowed(const T& t); static MaybeOwned owned(T&& t); template <class... A> static MaybeOwned owned(A&&... args); const T& operator*() const; const T* operator->() const; bool isBorrowed() const; }; }
