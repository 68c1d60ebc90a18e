// Parse-only stand-in for PyTorch: ATen/core/ivalue_inl.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
namespace c10 {
namespace ivalue {
struct ConstantString final : c10::intrusive_ptr_target { static c10::intrusive_ptr<ConstantString> create(std::string str_); const std::string& string() const; };
struct Tuple : c10::intrusive_ptr_target { static c10::intrusive_ptr<Tuple> create(std::vector<IValue> elements); const std::vector<IValue>& elements() const&; size_t size() const; };
struct Object final : c10::intrusive_ptr_target { static c10::intrusive_ptr<Object> create(ClassTypePtr classType, size_t numSlots); void setSlot(size_t slot, IValue v); const IValue& getSlot(size_t slot) const; IValue getAttr(const std::string& name) const; void setAttr(const std::string& name, IValue v); std::string name() const; };
struct PyObjectHolder : c10::intrusive_ptr_target { public: virtual struct _object* getPyObject() = 0; virtual ~PyObjectHolder() override = default; };
struct Future final : c10::intrusive_ptr_target {
 public:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;
  explicit Future(TypePtr type, std::vector<c10::Device> devices = {}); Future(const Future&) = delete; ~Future() override;
  struct FutureError final : public std::exception { explicit FutureError(std::string&& error_msg_); FutureError() = default; const char* what() const noexcept override; std::string error_msg; };
  void wait(); void waitAndThrow(); void markCompleted(IValue value, c10::optional<std::vector<WeakStorage>> storages = {}); void markCompleted(); void setError(std::exception_ptr eptr); void setErrorIfNeeded(std::exception_ptr eptr); IValue value(); const IValue& constValue() const; const std::vector<WeakStorage>& storages() const;
  template <class T> void addCallback(T callback, bool uses_future = true) {} template <class T> c10::intrusive_ptr<Future> then(T callback, TypePtr type) { return createInstance(type); } template <class T> c10::intrusive_ptr<Future> thenAsync(T callback, TypePtr type) { return createInstance(type); }
  std::string tryRetrieveErrorMessage() const; bool completed() const; bool hasValue() const; bool hasError() const; std::exception_ptr exception_ptr() const; const TypePtr& elementType() const; const std::vector<c10::Device>& devices() const; c10::intrusive_ptr<Future> createInstance(TypePtr type);
};
struct Await final : c10::intrusive_ptr_target { IValue wait(); IValue value(); bool completed(); };
}
intrusive_ptr<ivalue::Future> collectAll(const List<intrusive_ptr<ivalue::Future>>& srcs); intrusive_ptr<ivalue::Future> collectAny(const List<intrusive_ptr<ivalue::Future>>& srcs);
}
