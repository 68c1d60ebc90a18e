// Parse-only stand-in for miopen/version.h (minimal).
#pragma once
#define MIOPEN_VERSION_MAJOR 3
#define MIOPEN_VERSION_MINOR 2
#define MIOPEN_VERSION_PATCH 0
