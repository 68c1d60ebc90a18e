// Parse-only stand-in for Gloo: gloo/transport/ibverbs/address.h.
#pragma once
#include <infiniband/verbs.h>
#include <mutex>
#include <string>
#include <vector>
#include "gloo/transport/address.h"
namespace gloo { namespace transport { namespace ibverbs { class Address : public ::gloo::transport::Address { public: Address(); explicit Address(const std::vector<char>&); virtual ~Address() {} std::vector<char> bytes() const override; std::string str() const override; }; } } }
