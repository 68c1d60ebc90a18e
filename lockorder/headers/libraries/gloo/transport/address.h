// Parse-only stand-in for Gloo: gloo/transport/address.h.
#pragma once
#include <string>
#include <vector>
namespace gloo { namespace transport { class Address { public: static constexpr auto kMaxByteSize = 192; virtual ~Address() = 0; virtual std::string str() const = 0; virtual std::vector<char> bytes() const = 0; }; } }
