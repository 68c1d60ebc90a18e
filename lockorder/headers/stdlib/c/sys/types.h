/* Parse-only stand-in for <sys/types.h>. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <endian.h>
#include <bits/time_types.h>
#include <sys/select.h>
typedef long ssize_t; typedef long off_t; typedef long off64_t; typedef long loff_t; typedef int pid_t; typedef unsigned int uid_t; typedef unsigned int gid_t; typedef unsigned int id_t; typedef unsigned int mode_t; typedef unsigned long dev_t; typedef unsigned long ino_t; typedef unsigned long ino64_t; typedef unsigned long nlink_t; typedef long blksize_t; typedef long blkcnt_t; typedef unsigned long fsblkcnt_t; typedef unsigned long fsfilcnt_t; typedef int key_t; typedef char* caddr_t; typedef int daddr_t; typedef long register_t; typedef int __pid_t; typedef long __off_t; typedef unsigned int __mode_t;
typedef unsigned char u_char; typedef unsigned short u_short; typedef unsigned int u_int; typedef unsigned long u_long; typedef long quad_t; typedef unsigned long u_quad_t; typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong; typedef uint8_t u_int8_t; typedef uint16_t u_int16_t; typedef uint32_t u_int32_t; typedef uint64_t u_int64_t;
typedef uint8_t __uint8_t; typedef uint16_t __uint16_t; typedef uint32_t __uint32_t; typedef uint64_t __uint64_t; typedef int8_t __int8_t; typedef int16_t __int16_t; typedef int32_t __int32_t; typedef int64_t __int64_t;
#include <bits/pthread_types.h>
