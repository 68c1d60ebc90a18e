// Parse-only stand-in for caffe2/core/macros.h, which CMake makes.
#pragma once
#define CAFFE2_VERSION_MAJOR 1
#define CAFFE2_VERSION_MINOR 13
#define CAFFE2_VERSION_PATCH 1
#define CAFFE2_VERSION 11301
