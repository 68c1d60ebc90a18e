// Parse-only stand-in for Gloo: gloo/mpi/context.h.
#pragma once
#include <memory>
#include <mpi.h>
#include "gloo/context.h"
#include "gloo/transport/device.h"
namespace gloo { namespace mpi { class Context : public ::gloo::Context { public: static std::shared_ptr<Context> createManaged(); explicit Context(const MPI_Comm& comm); virtual ~Context(); void connectFullMesh(std::shared_ptr<transport::Device>& dev); }; } }
