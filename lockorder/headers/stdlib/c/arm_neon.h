/* Parse-only stand-in for <arm_neon.h>. */
#pragma once
#if defined(__ARM_NEON) && 0
typedef __attribute__((neon_vector_type(4))) float float32x4_t;
#endif
