// Parse-only stand-in for PyTorch: c10/core/impl/LocalDispatchKeySet.h.
#pragma once
#include <c10/core/DispatchKeySet.h>
namespace c10 { namespace impl { struct LocalDispatchKeySet { DispatchKeySet included_, excluded_; }; LocalDispatchKeySet tls_local_dispatch_key_set(); void _force_tls_local_dispatch_key_set(LocalDispatchKeySet key_set); class IncludeDispatchKeyGuard { public: IncludeDispatchKeyGuard(DispatchKeySet); IncludeDispatchKeyGuard(DispatchKey k); ~IncludeDispatchKeyGuard(); }; class ExcludeDispatchKeyGuard { public: ExcludeDispatchKeyGuard(DispatchKeySet); ExcludeDispatchKeyGuard(DispatchKey k); ~ExcludeDispatchKeyGuard(); }; } }
