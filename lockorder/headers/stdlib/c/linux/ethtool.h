/* Parse-only stand-in for <linux/ethtool.h>. */
#pragma once
#include <linux/types.h>
#define ETHTOOL_GSET 1
#define ETHTOOL_GDRVINFO 3
#define ETHTOOL_GLINKSETTINGS 0x4c
#define SPEED_10 10
#define SPEED_100 100
#define SPEED_1000 1000
#define SPEED_10000 10000
#define SPEED_UNKNOWN (-1)
struct ethtool_cmd { __u32 cmd, supported, advertising; __u16 speed; __u8 duplex, port, phy_address, transceiver, autoneg, mdio_support; __u32 maxtxpkt, maxrxpkt; __u16 speed_hi; __u8 eth_tp_mdix, eth_tp_mdix_ctrl; __u32 lp_advertising, reserved[2]; };
static inline __u32 ethtool_cmd_speed(const struct ethtool_cmd* c) { return ((__u32)c->speed_hi << 16) | c->speed; }
struct ethtool_drvinfo { __u32 cmd; char driver[32], version[32], fw_version[32], bus_info[32]; };
