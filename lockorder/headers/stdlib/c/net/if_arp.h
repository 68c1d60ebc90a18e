/* Parse-only stand-in for <net/if_arp.h>. */
#pragma once
#include <sys/socket.h>
#define ARPHRD_ETHER 1
#define ARPHRD_INFINIBAND 32
#define ARPHRD_LOOPBACK 772
