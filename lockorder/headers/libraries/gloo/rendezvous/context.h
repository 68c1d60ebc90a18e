// Parse-only stand-in for Gloo: gloo/rendezvous/context.h.
#pragma once
#include "gloo/common/logging.h"
#include "gloo/context.h"
#include "gloo/rendezvous/store.h"
#include "gloo/transport/address.h"
#include "gloo/transport/device.h"
namespace gloo { namespace rendezvous {
class Context : public ::gloo::Context { public: Context(int rank, int size, int base = 2); virtual ~Context(); void connectFullMesh(Store& store, std::shared_ptr<transport::Device>& dev); void connectFullMesh(std::shared_ptr<Store> store, std::shared_ptr<transport::Device>& dev); };
class ContextFactory { public: explicit ContextFactory(std::shared_ptr<::gloo::Context> backingContext); std::shared_ptr<::gloo::Context> makeContext(std::shared_ptr<transport::Device>& dev); };
} }
