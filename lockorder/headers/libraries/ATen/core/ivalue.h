// Parse-only stand-in for PyTorch: ATen/core/ivalue.h.
#pragma once
#include <ATen/core/jit_type_base.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Event.h>
#include <c10/core/Scalar.h>
#include <c10/core/Stream.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <c10/util/intrusive_ptr.h>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
namespace torch { class CustomClassHolder : public c10::intrusive_ptr_target {}; namespace jit { using ::torch::CustomClassHolder; struct Function; struct CompilationUnit; struct Module; class JITException; } template <class T> struct custom_class_base {}; }
namespace c10 {
struct IValue; template <class T> class List; template <class K, class V> class Dict; struct RRefInterface : c10::intrusive_ptr_target { virtual bool isOwner() const = 0; virtual std::string ownerName() const = 0; virtual bool confirmedByOwner() const = 0; };
namespace ivalue { struct Future; struct Object; struct PyObjectHolder; struct Tuple; struct Await; struct ConstantString; struct StreamData3Holder; }
struct StrongTypePtr;
struct IValue final {
  IValue(); IValue(const IValue&); IValue(IValue&&) noexcept; ~IValue(); IValue& operator=(IValue&&) & noexcept; IValue& operator=(const IValue&) &; template <class T, class = typename std::enable_if<!std::is_same<typename std::decay<T>::type, IValue>::value>::type> IValue(T&& t) {}
  bool isTensor() const; at::Tensor& toTensor() &; const at::Tensor& toTensor() const&; at::Tensor toTensor() &&; bool isNone() const; std::string toNone() const; bool isInt() const; int64_t toInt() const; bool isDouble() const; double toDouble() const; bool isBool() const; bool toBool() const; bool isString() const; std::string toStringRef_() const; const std::string& toStringRef() const; c10::intrusive_ptr<ivalue::ConstantString> toString() const; bool isDevice() const; c10::Device toDevice() const; bool isStream() const; c10::Stream toStream() const; bool isScalar() const; at::Scalar toScalar() const; bool isTuple() const; c10::intrusive_ptr<ivalue::Tuple> toTuple() const; const ivalue::Tuple& toTupleRef() const; bool isList() const; c10::List<IValue> toList() const; ArrayRef<IValue> toListRef() const; bool isTensorList() const; std::vector<at::Tensor> toTensorVector() const; c10::List<at::Tensor> toTensorList() const; std::vector<int64_t> toIntVector() const; c10::List<int64_t> toIntList() const; bool isGenericDict() const; c10::Dict<IValue, IValue> toGenericDict() const; bool isFuture() const; c10::intrusive_ptr<ivalue::Future> toFuture() const; bool isRRef() const; c10::intrusive_ptr<RRefInterface> toRRef() const; bool isObject() const; c10::intrusive_ptr<ivalue::Object> toObject() const; bool isPyObject() const; c10::intrusive_ptr<ivalue::PyObjectHolder> toPyObjectHolder() const; bool isCustomClass() const; template <class T> c10::intrusive_ptr<T> toCustomClass() const; bool isCapsule() const; template <class T> T to() const; template <class T> c10::optional<T> toOptional() const; TypePtr type() const; std::string tagKind() const; size_t hash() const; bool is(const IValue& rhs) const; bool isAliasOf(const IValue& rhs) const; size_t use_count() const noexcept; IValue deepcopy() const; std::vector<at::Tensor> getSubTensors_() const; template <class F> bool visit(const F& f) const { return f(*this); }
};
std::ostream& operator<<(std::ostream& out, const IValue& v);
struct WeakIValue { WeakIValue(); WeakIValue(const IValue& rhs); IValue lock() const; };
struct StrongTypePtr { StrongTypePtr(std::shared_ptr<torch::jit::CompilationUnit> cu, TypePtr type); std::shared_ptr<torch::jit::CompilationUnit> cu_; TypePtr type_; };
}
namespace at { using c10::IValue; }

#include <ATen/core/ivalue_inl.h>
