/* Parse-only stand-in for <ifaddrs.h>. */
#pragma once
#include <sys/socket.h>
struct ifaddrs { struct ifaddrs* ifa_next; char* ifa_name; unsigned int ifa_flags; struct sockaddr *ifa_addr, *ifa_netmask; union { struct sockaddr *ifu_broadaddr, *ifu_dstaddr; } ifa_ifu; void* ifa_data; };
#define ifa_broadaddr ifa_ifu.ifu_broadaddr
#define ifa_dstaddr ifa_ifu.ifu_dstaddr
__BEGIN_DECLS
int getifaddrs(struct ifaddrs**); void freeifaddrs(struct ifaddrs*);
__END_DECLS
