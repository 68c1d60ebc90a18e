// Parse-only stand-in for Gloo: gloo/common/memory.h.
#pragma once
#include <memory>
namespace gloo {
template <class T> class NonOwningPtr { public: NonOwningPtr(); T* operator->() const; T& operator*() const; T* get() const; explicit operator bool() const; };
template <class T> class WeakNonOwningPtr { public: WeakNonOwningPtr(); NonOwningPtr<T> lock() const; };
template <class T> class ShareableNonOwningPtr { public: explicit ShareableNonOwningPtr(T*); WeakNonOwningPtr<T> getWeak(); void reset(); };
}
