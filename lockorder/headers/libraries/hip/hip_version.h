// Parse-only stand-in for HIP's hip_version.h.
#pragma once
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60200000
#define HIP_VERSION_GITHASH ""
