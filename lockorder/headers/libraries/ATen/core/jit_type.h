// Parse-only stand-in for PyTorch: ATen/core/jit_type.h.
#pragma once
#include <ATen/core/jit_type_base.h>
#include <c10/core/SymInt.h>
#include <string>
namespace c10 {
struct AnyType : Type { static std::shared_ptr<AnyType> get(); }; using AnyTypePtr = std::shared_ptr<AnyType>; struct TensorType : Type { static std::shared_ptr<TensorType> get(); }; using TensorTypePtr = std::shared_ptr<TensorType>; struct IntType : Type { static std::shared_ptr<IntType> get(); }; using IntTypePtr = std::shared_ptr<IntType>; struct FloatType : Type { static std::shared_ptr<FloatType> get(); }; using FloatTypePtr = std::shared_ptr<FloatType>; struct BoolType : Type { static std::shared_ptr<BoolType> get(); }; using BoolTypePtr = std::shared_ptr<BoolType>; struct StringType : Type { static std::shared_ptr<StringType> get(); }; using StringTypePtr = std::shared_ptr<StringType>; struct NoneType : Type { static std::shared_ptr<NoneType> get(); }; using NoneTypePtr = std::shared_ptr<NoneType>; struct PyObjectType : Type { static std::shared_ptr<PyObjectType> get(); }; using PyObjectTypePtr = std::shared_ptr<PyObjectType>; struct NumberType : Type { static std::shared_ptr<NumberType> get(); }; using NumberTypePtr = std::shared_ptr<NumberType>; struct DeviceObjType : Type { static std::shared_ptr<DeviceObjType> get(); }; using DeviceObjTypePtr = std::shared_ptr<DeviceObjType>; struct RRefType : Type { static std::shared_ptr<RRefType> get(); }; using RRefTypePtr = std::shared_ptr<RRefType>;
struct ListType : Type { static std::shared_ptr<ListType> create(TypePtr elem); static std::shared_ptr<ListType> ofTensors(); static std::shared_ptr<ListType> ofInts(); TypePtr getElementType() const; }; using ListTypePtr = std::shared_ptr<ListType>;
struct FutureType : Type { static std::shared_ptr<FutureType> create(TypePtr elem); TypePtr getElementType() const; }; using FutureTypePtr = std::shared_ptr<FutureType>;
struct OptionalType : Type { static std::shared_ptr<OptionalType> create(TypePtr elem); }; struct DictType : Type { static std::shared_ptr<DictType> create(TypePtr k, TypePtr v); }; struct TupleType : Type { static std::shared_ptr<TupleType> create(std::vector<TypePtr> types); };
template <class T> TypePtr getTypePtr();
}
