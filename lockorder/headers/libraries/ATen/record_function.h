// Parse-only stand-in for PyTorch: ATen/record_function.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <c10/util/SmallVector.h>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>
namespace at {
enum class RecordScope : uint8_t { FUNCTION = 0, BACKWARD_FUNCTION, TORCHSCRIPT_FUNCTION, KERNEL_FUNCTION_DTYPE, CUSTOM_CLASS, BUILD_FEATURE, LITE_INTERPRETER, USER_SCOPE, STATIC_RUNTIME_OP, STATIC_RUNTIME_MODEL, NUM_SCOPES };
using RecordFunctionHandle = uint64_t; using CallbackHandle = uint64_t;
struct ObserverContext { virtual ~ObserverContext(); };
struct RecordFunction { explicit RecordFunction(RecordScope scope = RecordScope::FUNCTION); virtual ~RecordFunction(); template <class... A> void before(A&&... args) {} void end(); bool isActive() const; const char* name() const; int64_t seqNr() const; RecordScope scope() const; RecordFunctionHandle handle() const; uint64_t threadId() const; static uint64_t currentThreadId(); void _setAsync(); bool isAsync() const; template <class... A> void _setCurrentThread(A&&...); void setHandle(RecordFunctionHandle handle); std::vector<c10::IValue> inputs() const; const std::vector<c10::IValue>& outputs() const; };
class RecordFunctionCallback { public: using StartCallback = std::unique_ptr<ObserverContext> (*)(const RecordFunction&); using EndCallback = void (*)(const RecordFunction&, ObserverContext*); explicit RecordFunctionCallback(StartCallback start, EndCallback end = nullptr); RecordFunctionCallback& needsInputs(bool); RecordFunctionCallback& needsIds(bool); RecordFunctionCallback& samplingProb(double); RecordFunctionCallback& scopes(const std::vector<RecordScope>&); };
CallbackHandle addThreadLocalCallback(RecordFunctionCallback cb); CallbackHandle addGlobalCallback(RecordFunctionCallback cb); void removeCallback(CallbackHandle handle); void disableCallback(CallbackHandle handle); void reenableCallback(CallbackHandle handle); bool hasCallbacks(); void clearCallbacks(); void enableRecordFunction(bool enable = true); bool isRecordFunctionEnabled();
class RecordFunctionGuard { public: explicit RecordFunctionGuard(bool is_enabled = true); virtual ~RecordFunctionGuard(); }; class DisableRecordFunctionGuard : public RecordFunctionGuard { public: DisableRecordFunctionGuard() : RecordFunctionGuard(false) {} };
}
#define RECORD_FUNCTION_WITH_SCOPE(scope, fn, inputs, ...) at::RecordFunction guard(scope); if (guard.isActive()) { guard.before(fn, inputs, ##__VA_ARGS__); }
#define RECORD_FUNCTION(fn, inputs, ...) RECORD_FUNCTION_WITH_SCOPE(at::RecordScope::FUNCTION, fn, inputs, ##__VA_ARGS__)
#define RECORD_USER_SCOPE(fn) RECORD_FUNCTION_WITH_SCOPE(at::RecordScope::USER_SCOPE, fn, 0)
#define RECORD_TORCHSCRIPT_FUNCTION(mn, inputs) RECORD_FUNCTION_WITH_SCOPE(at::RecordScope::TORCHSCRIPT_FUNCTION, mn, inputs)
