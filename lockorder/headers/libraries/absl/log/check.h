// Parse-only stand-in for Abseil: absl/log/check.h.
#pragma once
#include "log.h"
#ifndef CHECK
#define CHECK(c) LOSTUB_ABSL_LOG(!(c))
#define QCHECK(c) LOSTUB_ABSL_LOG(!(c))
#define PCHECK(c) LOSTUB_ABSL_LOG(!(c))
#define DCHECK(c) LOSTUB_ABSL_LOG(!(c))
#define CHECK_OK(s) LOSTUB_ABSL_LOG(!(s).ok())
#define QCHECK_OK(s) LOSTUB_ABSL_LOG(!(s).ok())
#define DCHECK_OK(s) LOSTUB_ABSL_LOG(!(s).ok())
#define CHECK_EQ(a, b) LOSTUB_ABSL_LOG(!((a) == (b)))
#define CHECK_NE(a, b) LOSTUB_ABSL_LOG(!((a) != (b)))
#define CHECK_LE(a, b) LOSTUB_ABSL_LOG(!((a) <= (b)))
#define CHECK_LT(a, b) LOSTUB_ABSL_LOG(!((a) < (b)))
#define CHECK_GE(a, b) LOSTUB_ABSL_LOG(!((a) >= (b)))
#define CHECK_GT(a, b) LOSTUB_ABSL_LOG(!((a) > (b)))
#define DCHECK_EQ(a, b) CHECK_EQ(a, b)
#define DCHECK_NE(a, b) CHECK_NE(a, b)
#define DCHECK_LE(a, b) CHECK_LE(a, b)
#define DCHECK_LT(a, b) CHECK_LT(a, b)
#define DCHECK_GE(a, b) CHECK_GE(a, b)
#define DCHECK_GT(a, b) CHECK_GT(a, b)
#define CHECK_STREQ(a, b) LOSTUB_ABSL_LOG((a) != (b))
#endif
#ifndef CHECK_OK
#define CHECK_OK(s) LOSTUB_ABSL_LOG(!(s).ok())
#endif
