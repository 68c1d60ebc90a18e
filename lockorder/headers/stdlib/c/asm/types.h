/* Parse-only stand-in for <asm/types.h>. */
#pragma once
#include <features.h>
typedef signed char __s8; typedef unsigned char __u8; typedef short __s16; typedef unsigned short __u16; typedef int __s32; typedef unsigned int __u32; typedef long long __s64; typedef unsigned long long __u64;
