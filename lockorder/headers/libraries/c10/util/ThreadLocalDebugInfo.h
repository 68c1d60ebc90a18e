// Parse-only stand-in for PyTorch: c10/util/ThreadLocalDebugInfo.h.
#pragma once
#include <c10/macros/Export.h>
#include <cstdint>
#include <memory>
namespace c10 {
enum class DebugInfoKind : uint8_t { PRODUCER_INFO = 0, MOBILE_RUNTIME_INFO, PROFILER_STATE, INFERENCE_CONTEXT, PARAM_COMMS_INFO, TEST_INFO, TEST_INFO_2 };
class DebugInfoBase { public: DebugInfoBase() = default; virtual ~DebugInfoBase() = default; };
class ThreadLocalDebugInfo { public: static DebugInfoBase* get(DebugInfoKind kind); static std::shared_ptr<ThreadLocalDebugInfo> current(); static void _forceCurrentDebugInfo(std::shared_ptr<ThreadLocalDebugInfo> info); static void _push(DebugInfoKind kind, std::shared_ptr<DebugInfoBase> info); static std::shared_ptr<DebugInfoBase> _pop(DebugInfoKind kind); static std::shared_ptr<DebugInfoBase> _peek(DebugInfoKind kind); };
class DebugInfoGuard { public: DebugInfoGuard(DebugInfoKind kind, std::shared_ptr<DebugInfoBase> info); explicit DebugInfoGuard(std::shared_ptr<ThreadLocalDebugInfo> info); ~DebugInfoGuard(); };
}
