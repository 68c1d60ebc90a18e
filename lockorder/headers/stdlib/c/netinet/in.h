/* Parse-only stand-in for <netinet/in.h>. */
#pragma once
#include <sys/socket.h>
#include <stdint.h>
typedef uint16_t in_port_t; typedef uint32_t in_addr_t;
struct in_addr { in_addr_t s_addr; };
struct in6_addr { union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __in6_u; };
#define s6_addr __in6_u.__u6_addr8
#define s6_addr16 __in6_u.__u6_addr16
#define s6_addr32 __in6_u.__u6_addr32
struct sockaddr_in { sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; unsigned char sin_zero[8]; };
struct sockaddr_in6 { sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr sin6_addr; uint32_t sin6_scope_id; };
struct ip_mreq { struct in_addr imr_multiaddr, imr_interface; }; struct ip_mreqn { struct in_addr imr_multiaddr, imr_address; int imr_ifindex; }; struct ipv6_mreq { struct in6_addr ipv6mr_multiaddr; unsigned int ipv6mr_interface; };
#define IPPROTO_AH 51
#define IPPROTO_DSTOPTS 60
#define IPPROTO_EGP 8
#define IPPROTO_ESP 50
#define IPPROTO_FRAGMENT 44
#define IPPROTO_GRE 47
#define IPPROTO_HOPOPTS 0
#define IPPROTO_ICMP 1
#define IPPROTO_ICMPV6 58
#define IPPROTO_IDP 22
#define IPPROTO_IGMP 2
#define IPPROTO_IP 0
#define IPPROTO_IPIP 4
#define IPPROTO_IPV6 41
#define IPPROTO_MPTCP 262
#define IPPROTO_NONE 59
#define IPPROTO_PIM 103
#define IPPROTO_PUP 12
#define IPPROTO_RAW 255
#define IPPROTO_ROUTING 43
#define IPPROTO_RSVP 46
#define IPPROTO_SCTP 132
#define IPPROTO_TCP 6
#define IPPROTO_TP 29
#define IPPROTO_UDP 17
#define IPPROTO_UDPLITE 136
#define IPV6_CHECKSUM 7
#define IPV6_DONTFRAG 62
#define IPV6_DSTOPTS 59
#define IPV6_HOPLIMIT 52
#define IPV6_HOPOPTS 54
#define IPV6_JOIN_GROUP 20
#define IPV6_LEAVE_GROUP 21
#define IPV6_MULTICAST_HOPS 18
#define IPV6_MULTICAST_IF 17
#define IPV6_MULTICAST_LOOP 19
#define IPV6_NEXTHOP 9
#define IPV6_PATHMTU 61
#define IPV6_PKTINFO 50
#define IPV6_RECVDSTOPTS 58
#define IPV6_RECVHOPLIMIT 51
#define IPV6_RECVHOPOPTS 53
#define IPV6_RECVPATHMTU 60
#define IPV6_RECVPKTINFO 49
#define IPV6_RECVRTHDR 56
#define IPV6_RECVTCLASS 66
#define IPV6_RTHDR 57
#define IPV6_RTHDRDSTOPTS 55
#define IPV6_RTHDR_TYPE_0 0
#define IPV6_TCLASS 67
#define IPV6_UNICAST_HOPS 16
#define IPV6_V6ONLY 26
#define IP_ADD_MEMBERSHIP 35
#define IP_BIND_ADDRESS_NO_PORT 24
#define IP_DEFAULT_MULTICAST_LOOP 1
#define IP_DEFAULT_MULTICAST_TTL 1
#define IP_DROP_MEMBERSHIP 36
#define IP_HDRINCL 3
#define IP_MAX_MEMBERSHIPS 20
#define IP_MULTICAST_IF 32
#define IP_MULTICAST_LOOP 34
#define IP_MULTICAST_TTL 33
#define IP_OPTIONS 4
#define IP_RECVOPTS 6
#define IP_RECVRETOPTS 7
#define IP_RECVTOS 13
#define IP_RETOPTS 7
#define IP_TOS 1
#define IP_TRANSPARENT 19
#define IP_TTL 2
#define IPPORT_RESERVED 1024
#define SOL_IP 0
#define SOL_IPV6 41
#define INADDR_ANY ((in_addr_t)0)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define IN6ADDR_ANY_INIT {{{0}}}
#define IN6ADDR_LOOPBACK_INIT {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}}
#define IN6_IS_ADDR_LINKLOCAL(a) (((const struct in6_addr*)(a))->s6_addr[0] == 0xfe)
#define IN6_IS_ADDR_LOOPBACK(a) (((const struct in6_addr*)(a))->s6_addr[15] == 1)
#define IN6_IS_ADDR_UNSPECIFIED(a) (((const struct in6_addr*)(a))->s6_addr[0] == 0)
#define IN6_IS_ADDR_MULTICAST(a) (((const struct in6_addr*)(a))->s6_addr[0] == 0xff)
#define IN6_IS_ADDR_SITELOCAL(a) (((const struct in6_addr*)(a))->s6_addr[0] == 0xfe)
#define IN6_IS_ADDR_V4MAPPED(a) (((const struct in6_addr*)(a))->s6_addr[10] == 0xff)
#define IN6_ARE_ADDR_EQUAL(a, b) (((const struct in6_addr*)(a))->s6_addr32[0] == ((const struct in6_addr*)(b))->s6_addr32[0])
#define IN_LOOPBACK(a) ((((in_addr_t)(a)) & 0xff000000) == 0x7f000000)
#define IN_MULTICAST(a) ((((in_addr_t)(a)) & 0xf0000000) == 0xe0000000)
__BEGIN_DECLS
extern const struct in6_addr in6addr_any, in6addr_loopback;
uint32_t ntohl(uint32_t); uint16_t ntohs(uint16_t); uint32_t htonl(uint32_t); uint16_t htons(uint16_t); int bindresvport(int, struct sockaddr_in*);
__END_DECLS
