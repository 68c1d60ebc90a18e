// Parse-only stand-in for NCCL's own: param.h.
#pragma once
#include <stdint.h>
const char* userHomeDir(); void setEnvFile(const char* fileName); void initEnv(); const char* ncclGetEnv(const char* name); int64_t lostub_param(const char* env, int64_t value);
#define NCCL_PARAM(name, env, deftVal) int64_t ncclParam##name() { return lostub_param("NCCL_" env, deftVal); }
