// Parse-only stand-in for PyTorch: c10/util/ThreadLocal.h.
#pragma once
#include <c10/macros/Macros.h>
namespace c10 { template <class T> class ThreadLocal { public: explicit ThreadLocal(T& (*accessor)()); ThreadLocal(const ThreadLocal&) = delete; T& get(); T& operator*() { return get(); } T* operator->() { return &get(); } }; }
#define C10_DEFINE_TLS_static(Type, Name) static ::c10::ThreadLocal<Type> Name([]() -> Type& { static thread_local Type var; return var; })
#define C10_DECLARE_TLS_class_static(Class, Type, Name) static ::c10::ThreadLocal<Type> Name
#define C10_DEFINE_TLS_class_static(Class, Type, Name) ::c10::ThreadLocal<Type> Class::Name([]() -> Type& { static thread_local Type var; return var; })
