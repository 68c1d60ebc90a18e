// Parse-only stand-in for Gloo: gloo/transport/tcp/address.h.
#pragma once
#include <sys/socket.h>
#include <sys/types.h>
#include <mutex>
#include <string>
#include <vector>
#include "gloo/transport/address.h"
namespace gloo { namespace transport { namespace tcp {
using sequence_number_t = ssize_t;
class Address : public ::gloo::transport::Address { public: static constexpr sequence_number_t kSequenceNumberUnset = -1; Address() {} explicit Address(struct sockaddr_storage ss, sequence_number_t seq = -1); explicit Address(const struct sockaddr* addr, size_t addrlen); explicit Address(const std::vector<char>&); explicit Address(const std::string& ip, uint16_t port, sequence_number_t seq = -1); Address(const Address& other); Address& operator=(Address&& other); Address& operator=(const Address& other); virtual ~Address() {} std::vector<char> bytes() const override; std::string str() const override; const struct sockaddr_storage& getSockaddr() const; sequence_number_t getSeq() const; static Address fromSockName(int fd); static Address fromPeerName(int fd); protected: struct Impl { struct sockaddr_storage ss; sequence_number_t seq; }; Impl impl_; mutable std::mutex m_; };
} } }
