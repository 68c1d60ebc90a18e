/* Parse-only stand-in for <arpa/inet.h>. */
#pragma once
#include <netinet/in.h>
__BEGIN_DECLS
in_addr_t inet_addr(const char*); in_addr_t inet_network(const char*); char* inet_ntoa(struct in_addr); int inet_aton(const char*, struct in_addr*); int inet_pton(int, const char* __restrict, void* __restrict); const char* inet_ntop(int, const void* __restrict, char* __restrict, socklen_t);
__END_DECLS
