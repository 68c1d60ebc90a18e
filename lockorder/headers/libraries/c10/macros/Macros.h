// Parse-only stand-in for PyTorch: c10/macros/Macros.h.
#pragma once
#include <cassert>
#include <c10/macros/Export.h>
#define C10_CONCATENATE_IMPL(s1, s2) s1##s2
#define C10_CONCATENATE(s1, s2) C10_CONCATENATE_IMPL(s1, s2)
#define C10_MACRO_EXPAND(args) args
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_UID __COUNTER__
#define C10_ANONYMOUS_VARIABLE(str) C10_CONCATENATE(str, __COUNTER__)
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#define C10_NODISCARD
#define C10_UNUSED __attribute__((__unused__))
#define C10_USED __attribute__((__used__))
#define C10_RESTRICT
#define C10_FALLTHROUGH
#define C10_NOINLINE
#define C10_ALWAYS_INLINE inline
#define C10_ALWAYS_INLINE_ATTRIBUTE
#define C10_ALWAYS_INLINE_UNLESS_MOBILE inline
#define C10_ATTR_VISIBILITY_HIDDEN
#define C10_ERASE inline
#define C10_LIFETIMEBOUND
#define C10_HAS_CPP_ATTRIBUTE(x) 0
#define C10_CLANG_DIAGNOSTIC_PUSH()
#define C10_CLANG_DIAGNOSTIC_POP()
#define C10_CLANG_DIAGNOSTIC_IGNORE(flag)
#define C10_CLANG_HAS_WARNING(flag) 0
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)
#define C10_DIAGNOSTIC_POP()
#define C10_DISABLE_COPY_AND_ASSIGN(classname) classname(const classname&) = delete; classname& operator=(const classname&) = delete
#define C10_HOST
#define C10_DEVICE
#define C10_HOST_DEVICE
#define C10_HIP_HOST_DEVICE
#define C10_HOST_CONSTEXPR
#define C10_WARP_SIZE 32
#define C10_MAX_THREADS_PER_BLOCK(val) (val)
#define C10_MIN_BLOCKS_PER_SM(threads_per_block, blocks_per_sm) (blocks_per_sm)
#define C10_LAUNCH_BOUNDS_0
#define C10_LAUNCH_BOUNDS_1(max_threads_per_block)
#define C10_LAUNCH_BOUNDS_2(max_threads_per_block, min_blocks_per_sm)
#define CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#define C10_HOST_CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#define STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(field, val) static constexpr const char field[] = val;
#define STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA(cls, field, val)
#define CUDA_KERNEL_ASSERT(cond) ((void)(cond))
#define CUDA_KERNEL_ASSERT2(cond) ((void)(cond))
#define CUDA_KERNEL_ASSERT_MSG(cond, msg) ((void)(cond))
#define CUDA_KERNEL_ASSERT_PRINTF(cond, msg, ...) ((void)(cond))
#define SYCL_KERNEL_ASSERT(cond) ((void)(cond))
#define __ubsan_ignore_float_divide_by_zero__
#define __ubsan_ignore_undefined__
#define __ubsan_ignore_signed_int_overflow__
#define __ubsan_ignore_pointer_overflow__
#define __ubsan_ignore_function__
#define __ubsan_ignore_float_cast_overflow__
namespace c10 { namespace cuda {} namespace hip {} namespace xpu {} }
namespace at { using namespace c10; namespace cuda { using namespace c10::cuda; } namespace hip { using namespace c10::hip; } namespace xpu { using namespace c10::xpu; } }
