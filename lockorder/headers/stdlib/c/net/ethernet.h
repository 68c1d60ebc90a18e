/* Parse-only stand-in for <net/ethernet.h>. */
#pragma once
#include <sys/types.h>
#define ETH_ALEN 6
#define ETHERTYPE_IP 0x0800
#define ETHERTYPE_IPV6 0x86dd
struct ether_addr { uint8_t ether_addr_octet[6]; };
struct ether_header { uint8_t ether_dhost[6], ether_shost[6]; uint16_t ether_type; };
