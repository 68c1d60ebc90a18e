// Parse-only stand-in for Gloo: gloo/transport/tcp/attr.h.
#pragma once
#include <string>
#include <sys/socket.h>
namespace gloo { namespace transport { namespace tcp {
struct attr { attr(); attr(const char* ptr); std::string hostname, iface; int ai_family, ai_socktype, ai_protocol; struct sockaddr_storage ai_addr; int ai_addrlen, ai_fd; };
} } }
