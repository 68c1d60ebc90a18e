// Parse-only stand-in for TensorPipe: tensorpipe/channel/mpt/factory.h.
#pragma once
#include <tensorpipe/channel/context.h>
#include <tensorpipe/transport/context.h>
#include <tensorpipe/transport/listener.h>
#include <memory>
#include <vector>
namespace tensorpipe { namespace channel { namespace mpt { std::shared_ptr<Context> create(std::vector<std::shared_ptr<transport::Context>> contexts, std::vector<std::shared_ptr<transport::Listener>> listeners); } } }
