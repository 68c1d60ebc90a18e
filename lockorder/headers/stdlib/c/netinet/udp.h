/* Parse-only stand-in for <netinet/udp.h>. */
#pragma once
#include <sys/types.h>
struct udphdr { uint16_t source, dest, len, check; };
