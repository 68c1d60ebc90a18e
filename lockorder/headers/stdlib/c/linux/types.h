/* Parse-only stand-in for <linux/types.h>. */
#pragma once
#include <asm/types.h>
typedef __u16 __le16, __be16, __sum16; typedef __u32 __le32, __be32, __wsum; typedef __u64 __le64, __be64;
#define __aligned_u64 __u64 __attribute__((aligned(8)))
