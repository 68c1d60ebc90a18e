// Parse-only stand-in for TensorPipe: tensorpipe/common/error_macros.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <memory>
#define TP_CREATE_ERROR(typ, ...) (::tensorpipe::Error(std::make_shared<typ>(__VA_ARGS__), __FILE__, __LINE__))
