// Parse-only stand-in for <__lo/hash.h>.
#pragma once
#include <type_traits>
namespace std {
template<class T> struct hash { using argument_type = T; using result_type = size_t; size_t operator()(T) const noexcept {} static_assert(__is_scalar(T) || __is_enum(T), "no std::hash for this type"); hash() = default; };
}
