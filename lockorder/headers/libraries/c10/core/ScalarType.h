// Parse-only stand-in for PyTorch: c10/core/ScalarType.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
#include <cstdint>
#include <ostream>
namespace c10 {
enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4, Bits4x2, Bits8, Bits16, Float8_e5m2, Float8_e4m3fn, Float8_e5m2fnuz, Float8_e4m3fnuz, UInt16, UInt32, UInt64, Undefined, NumOptions };
constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short, kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half, kFloat = ScalarType::Float, kDouble = ScalarType::Double, kComplexFloat = ScalarType::ComplexFloat, kComplexDouble = ScalarType::ComplexDouble, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16, kFloat8_e5m2 = ScalarType::Float8_e5m2, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kUInt16 = ScalarType::UInt16, kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64;
const char* toString(ScalarType t); size_t elementSize(ScalarType t); bool isIntegralType(ScalarType t, bool includeBool); bool isFloatingType(ScalarType t); bool isComplexType(ScalarType t); bool isQIntType(ScalarType t); ScalarType promoteTypes(ScalarType a, ScalarType b); std::ostream& operator<<(std::ostream& stream, ScalarType t); template <class T> struct CppTypeToScalarType;
}
