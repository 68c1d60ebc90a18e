// Parse-only stand-in for Gloo: gloo/transport/remote_key.h.
#pragma once
#include <memory>
#include <string>
namespace gloo { namespace transport { class RemoteKey { public: const int rank = 0; const size_t size = 0; virtual ~RemoteKey() = default; virtual std::string serialize() const = 0; }; } }
