/* Parse-only stand-in for <arm_acle.h>. */
#pragma once
