/* Parse-only stand-in for <linux/mempolicy.h>. */
#pragma once
enum { MPOL_DEFAULT, MPOL_PREFERRED, MPOL_BIND, MPOL_INTERLEAVE, MPOL_LOCAL };
#define MPOL_MF_STRICT 1
#define MPOL_MF_MOVE 2
