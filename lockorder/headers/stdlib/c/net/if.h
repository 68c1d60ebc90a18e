/* Parse-only stand-in for <net/if.h>. */
#pragma once
#include <sys/socket.h>
#define IF_NAMESIZE 16
#define IFNAMSIZ 16
#define IFHWADDRLEN 6
enum { IFF_UP = 1, IFF_BROADCAST = 2, IFF_DEBUG = 4, IFF_LOOPBACK = 8, IFF_POINTOPOINT = 16, IFF_RUNNING = 0x40, IFF_NOARP = 0x80, IFF_PROMISC = 0x100, IFF_ALLMULTI = 0x200, IFF_MASTER = 0x400, IFF_SLAVE = 0x800, IFF_MULTICAST = 0x1000 };
#define IFF_UP IFF_UP
#define IFF_LOOPBACK IFF_LOOPBACK
#define IFF_RUNNING IFF_RUNNING
struct if_nameindex { unsigned int if_index; char* if_name; };
struct ifmap { unsigned long mem_start, mem_end; unsigned short base_addr; unsigned char irq, dma, port; };
struct ifreq { union { char ifrn_name[16]; } ifr_ifrn; union { struct sockaddr ifru_addr, ifru_dstaddr, ifru_broadaddr, ifru_netmask, ifru_hwaddr; short ifru_flags; int ifru_ivalue, ifru_mtu; struct ifmap ifru_map; char ifru_slave[16], ifru_newname[16]; char* ifru_data; } ifr_ifru; };
#define ifr_name ifr_ifrn.ifrn_name
#define ifr_hwaddr ifr_ifru.ifru_hwaddr
#define ifr_addr ifr_ifru.ifru_addr
#define ifr_dstaddr ifr_ifru.ifru_dstaddr
#define ifr_broadaddr ifr_ifru.ifru_broadaddr
#define ifr_netmask ifr_ifru.ifru_netmask
#define ifr_flags ifr_ifru.ifru_flags
#define ifr_metric ifr_ifru.ifru_ivalue
#define ifr_mtu ifr_ifru.ifru_mtu
#define ifr_slave ifr_ifru.ifru_slave
#define ifr_data ifr_ifru.ifru_data
#define ifr_ifindex ifr_ifru.ifru_ivalue
struct ifconf { int ifc_len; union { char* ifcu_buf; struct ifreq* ifcu_req; } ifc_ifcu; };
#define ifc_buf ifc_ifcu.ifcu_buf
#define ifc_req ifc_ifcu.ifcu_req
__BEGIN_DECLS
unsigned int if_nametoindex(const char*); char* if_indextoname(unsigned int, char*); struct if_nameindex* if_nameindex(void); void if_freenameindex(struct if_nameindex*);
__END_DECLS
