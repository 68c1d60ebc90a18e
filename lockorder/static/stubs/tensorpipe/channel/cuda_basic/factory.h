// Parse-only stand-in for TensorPipe: tensorpipe/channel/cuda_basic/factory.h.
#pragma once
#include <tensorpipe/channel/context.h>
#include <memory>
namespace tensorpipe { namespace channel { namespace cuda_basic { std::shared_ptr<Context> create(std::shared_ptr<Context> cpuContext); } } }
