// Parse-only stand-in for cub/version.cuh.
#pragma once
#define CUB_VERSION 200500
#define CUB_MAJOR_VERSION 2
