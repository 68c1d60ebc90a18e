/* Parse-only stand-in for <netinet/ip.h>. */
#pragma once
#include <netinet/in.h>
#define IPTOS_LOWDELAY 0x10
#define IPTOS_THROUGHPUT 8
struct iphdr { unsigned int ihl : 4, version : 4; uint8_t tos; uint16_t tot_len, id, frag_off; uint8_t ttl, protocol; uint16_t check; uint32_t saddr, daddr; };
