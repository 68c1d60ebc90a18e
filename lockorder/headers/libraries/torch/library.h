// Parse-only stand-in for PyTorch: torch/library.h.
#pragma once
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKey.h>
#include <torch/csrc/Export.h>
#include <string>
#include <utility>
namespace torch {
template <class C> class class_;
class CppFunction final { public: template <class F> CppFunction(F&& f) {} template <class F> static CppFunction makeFromBoxedFunction(F&&...); static CppFunction makeFallthrough(); };
template <class F> CppFunction dispatch(c10::DispatchKey k, F&& f) { return CppFunction(f); } template <class F> CppFunction dispatch(c10::DeviceType k, F&& f) { return CppFunction(f); }
struct lostub_schema {}; template <class... A> lostub_schema schema(const char* str, A&&...);
class Library final { public: enum Kind { DEF, IMPL, FRAGMENT }; Library(Kind kind, std::string ns, c10::DispatchKey k, const char* file, uint32_t line); template <class... A> Library& def(A&&... args) & { return *this; } template <class... A> Library& impl(A&&... args) & { return *this; } template <class F> Library& fallback(F&& f) & { return *this; } template <class C> torch::class_<C> class_(const std::string& className); Library& set_python_module(const char* pymodule, const char* context = ""); };
namespace detail { class TorchLibraryInit final { public: using InitFn = void(Library&); TorchLibraryInit(Library::Kind kind, InitFn* fn, const char* ns, const char* file, uint32_t line); }; }
}
#define TORCH_SELECTIVE_NAME(n) n
#define TORCH_SELECTIVE_SCHEMA(n) n
#define TORCH_SELECTIVE_CLASS(n) n
#define TORCH_FN(f) (&f)
#define LOSTUB_TORCH_LIBRARY(kind, ns, fn, m) static void fn(torch::Library&); static const torch::detail::TorchLibraryInit C10_CONCATENATE(fn, _static)(torch::Library::kind, &fn, #ns, __FILE__, __LINE__); void fn(torch::Library& m)
#define TORCH_LIBRARY(ns, m) LOSTUB_TORCH_LIBRARY(DEF, ns, TORCH_LIBRARY_init_##ns, m)
#define LOSTUB_TORCH_FRAGMENT(ns, m, uid) LOSTUB_TORCH_LIBRARY(FRAGMENT, ns, C10_CONCATENATE(TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid), m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) LOSTUB_TORCH_FRAGMENT(ns, m, __LINE__)
#define LOSTUB_TORCH_IMPL(ns, k, m, uid) LOSTUB_TORCH_LIBRARY(IMPL, ns, C10_CONCATENATE(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid), m)
#define TORCH_LIBRARY_IMPL(ns, k, m) LOSTUB_TORCH_IMPL(ns, k, m, __LINE__)
