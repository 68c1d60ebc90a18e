// Parse-only stand-in for PyTorch: c10/util/WaitCounter.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/ScopeExit.h>
#include <functional>
#include <string>
namespace c10 { namespace monitor { class WaitCounterHandle { public: class WaitGuard { public: WaitGuard(WaitGuard&&) noexcept; void stop(); ~WaitGuard(); }; explicit WaitCounterHandle(const char* key); WaitGuard start(); }; } }
#define STATIC_WAIT_COUNTER(_key) ([]() -> ::c10::monitor::WaitCounterHandle& { static ::c10::monitor::WaitCounterHandle handle(#_key); return handle; }())
#define STATIC_SCOPED_WAIT_COUNTER(_name) auto C10_ANONYMOUS_VARIABLE(SCOPE_GUARD) = STATIC_WAIT_COUNTER(_name).start();
