// Parse-only stand-in for TensorPipe: tensorpipe/transport/shm/factory.h.
#pragma once
#include <tensorpipe/common/error.h>
#include <tensorpipe/transport/context.h>
#include <memory>
#include <string>
#include <tuple>
namespace tensorpipe { namespace transport { namespace shm { std::shared_ptr<Context> create(); } } }
