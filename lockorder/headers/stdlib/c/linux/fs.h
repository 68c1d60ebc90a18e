/* Parse-only stand-in for <linux/fs.h>. */
#pragma once
#include <linux/types.h>
#include <linux/limits.h>
#define BLKGETSIZE64 0x80081272
#define FICLONE 0x40049409
