// Parse-only stand-in for TensorPipe: tensorpipe/common/cpu_buffer.h.
#pragma once
#include <tensorpipe/common/device.h>
namespace tensorpipe { struct CpuBuffer { void* ptr{nullptr}; Device getDevice() const; }; }
