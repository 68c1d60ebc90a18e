/* Parse-only stand-in for <netinet/tcp.h>. */
#pragma once
#include <sys/types.h>
#include <sys/socket.h>
#define TCP_CONGESTION 13
#define TCP_CORK 3
#define TCP_DEFER_ACCEPT 9
#define TCP_FASTOPEN 23
#define TCP_INFO 11
#define TCP_KEEPCNT 6
#define TCP_KEEPIDLE 4
#define TCP_KEEPINTVL 5
#define TCP_LINGER2 8
#define TCP_MAXSEG 2
#define TCP_NODELAY 1
#define TCP_NOTSENT_LOWAT 25
#define TCP_QUICKACK 12
#define TCP_SYNCNT 7
#define TCP_USER_TIMEOUT 18
#define TCP_WINDOW_CLAMP 10
#define TCP_FASTOPEN_CONNECT 30
#define TCP_ZEROCOPY_RECEIVE 35
#define SOL_TCP 6
enum { TCP_ESTABLISHED = 1, TCP_SYN_SENT, TCP_SYN_RECV, TCP_FIN_WAIT1, TCP_FIN_WAIT2, TCP_TIME_WAIT, TCP_CLOSE, TCP_CLOSE_WAIT, TCP_LAST_ACK, TCP_LISTEN, TCP_CLOSING };
struct tcp_info { uint8_t tcpi_state, tcpi_ca_state, tcpi_retransmits, tcpi_probes, tcpi_backoff, tcpi_options; uint32_t tcpi_rto, tcpi_ato, tcpi_snd_mss, tcpi_rcv_mss, tcpi_unacked, tcpi_sacked, tcpi_lost, tcpi_retrans, tcpi_fackets, tcpi_pmtu, tcpi_rtt, tcpi_rttvar, tcpi_snd_ssthresh, tcpi_snd_cwnd, tcpi_advmss, tcpi_reordering, tcpi_rcv_rtt, tcpi_rcv_space, tcpi_total_retrans; };
