// Parse-only stand-in for PyTorch: ATen/core/jit_type_base.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>
namespace c10 {
enum class TypeKind { AnyType, TensorType, ListType, DictType, FutureType, IntType, FloatType, BoolType, StringType, NoneType, ClassType, TupleType, OptionalType, PyObjectType };
struct Type; struct ClassType; template <class T> using SingletonOrSharedTypePtr = std::shared_ptr<T>; template <class T> using SingletonTypePtr = std::shared_ptr<T>;
using TypePtr = std::shared_ptr<Type>; using ConstTypePtr = std::shared_ptr<const Type>; using ClassTypePtr = std::shared_ptr<ClassType>;
struct Type : std::enable_shared_from_this<Type> { virtual ~Type() = default; virtual bool equals(const Type& rhs) const; bool isSubtypeOf(const Type& rhs) const; virtual std::string str() const; std::string annotation_str() const; std::string repr_str() const; TypeKind kind() const; template <class T> std::shared_ptr<T> cast(); template <class T> std::shared_ptr<T> expect(); ArrayRef<TypePtr> containedTypes() const; };
std::ostream& operator<<(std::ostream& out, const Type& t); bool operator==(const Type& a, const Type& b);
}
namespace at { using c10::TypePtr; }
