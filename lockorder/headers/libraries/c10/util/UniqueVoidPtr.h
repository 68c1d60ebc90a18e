// Parse-only stand-in for PyTorch: c10/util/UniqueVoidPtr.h.
#pragma once
#include <c10/macros/Macros.h>
#include <memory>
namespace c10 {
using DeleterFnPtr = void (*)(void*);
namespace detail { void deleteNothing(void*); class UniqueVoidPtr { public: UniqueVoidPtr(); explicit UniqueVoidPtr(void* data); UniqueVoidPtr(void* data, void* ctx, DeleterFnPtr ctx_deleter); void* operator->() const; void clear(); void* get() const; void* get_context() const; void* release_context(); DeleterFnPtr get_deleter() const; explicit operator bool() const; }; }
}
