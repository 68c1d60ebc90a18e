// Parse-only stand-in for TensorPipe: tensorpipe/common/buffer.h.
#pragma once
#include <tensorpipe/common/cpu_buffer.h>
#include <tensorpipe/common/device.h>
#include <stdexcept>
#include <type_traits>
namespace tensorpipe { class Buffer { public: Buffer(); template <class T> Buffer(T b) {} template <class T> T& unwrap(); template <class T> const T& unwrap() const; Device device() const; }; }
