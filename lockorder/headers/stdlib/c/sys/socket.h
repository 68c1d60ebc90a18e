/* Parse-only stand-in for <sys/socket.h>. */
#pragma once
#include <sys/types.h>
#include <sys/uio.h>
typedef unsigned int socklen_t; typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; }; struct sockaddr_storage { sa_family_t ss_family; char pad[118]; unsigned long align_; };
struct msghdr { void* msg_name; socklen_t msg_namelen; struct iovec* msg_iov; size_t msg_iovlen; void* msg_control; size_t msg_controllen; int msg_flags; }; struct mmsghdr { struct msghdr msg_hdr; unsigned int msg_len; };
struct cmsghdr { size_t cmsg_len; int cmsg_level, cmsg_type; }; struct linger { int l_onoff, l_linger; }; struct ucred { pid_t pid; uid_t uid; gid_t gid; };
#define AF_ALG 38
#define AF_APPLETALK 5
#define AF_ASH 18
#define AF_ATMPVC 8
#define AF_ATMSVC 20
#define AF_AX25 3
#define AF_BRIDGE 7
#define AF_CAN 29
#define AF_DECnet 12
#define AF_ECONET 19
#define AF_INET 2
#define AF_INET6 10
#define AF_IPX 4
#define AF_IRDA 23
#define AF_KEY 15
#define AF_LLC 26
#define AF_NETBEUI 13
#define AF_NETLINK 16
#define AF_NETROM 6
#define AF_PACKET 17
#define AF_PPPOX 24
#define AF_QIPCRTR 42
#define AF_RDS 21
#define AF_ROSE 11
#define AF_ROUTE 16
#define AF_SECURITY 14
#define AF_SNA 22
#define AF_TIPC 30
#define AF_UNIX 1
#define AF_UNSPEC 0
#define AF_VSOCK 40
#define AF_WANPIPE 25
#define AF_X25 9
#define MSG_CMSG_CLOEXEC 1073741824
#define MSG_CONFIRM 2048
#define MSG_CTRUNC 8
#define MSG_DONTROUTE 4
#define MSG_DONTWAIT 64
#define MSG_EOR 128
#define MSG_ERRQUEUE 8192
#define MSG_FASTOPEN 536870912
#define MSG_MORE 32768
#define MSG_NOSIGNAL 16384
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_TRUNC 32
#define MSG_WAITALL 256
#define PF_CAN 29
#define PF_PACKET 17
#define PF_RDS 21
#define SOCK_CLOEXEC 524288
#define SOCK_DGRAM 2
#define SOCK_NONBLOCK 2048
#define SOCK_RAW 3
#define SOCK_RDM 4
#define SOCK_SEQPACKET 5
#define SOCK_STREAM 1
#define SO_ACCEPTCONN 30
#define SO_BINDTODEVICE 25
#define SO_BROADCAST 6
#define SO_DOMAIN 39
#define SO_DONTROUTE 5
#define SO_ERROR 4
#define SO_INCOMING_CPU 49
#define SO_J1939_ERRQUEUE 4
#define SO_J1939_FILTER 1
#define SO_J1939_PROMISC 2
#define SO_J1939_SEND_PRIO 3
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_MARK 36
#define SO_OOBINLINE 10
#define SO_PASSCRED 16
#define SO_PASSSEC 34
#define SO_PEERCRED 17
#define SO_PEERSEC 31
#define SO_PRIORITY 12
#define SO_PROTOCOL 38
#define SO_RCVBUF 8
#define SO_RCVLOWAT 18
#define SO_RCVTIMEO 20
#define SO_REUSEADDR 2
#define SO_REUSEPORT 15
#define SO_SNDBUF 7
#define SO_SNDLOWAT 19
#define SO_SNDTIMEO 21
#define SO_TYPE 3
#define SO_VM_SOCKETS_BUFFER_MAX_SIZE 2
#define SO_VM_SOCKETS_BUFFER_MIN_SIZE 1
#define SO_VM_SOCKETS_BUFFER_SIZE 0
#define SOMAXCONN 4096
#define PF_ALG 38
#define PF_APPLETALK 5
#define PF_ASH 18
#define PF_ATMPVC 8
#define PF_ATMSVC 20
#define PF_AX25 3
#define PF_BRIDGE 7
#define PF_DECnet 12
#define PF_ECONET 19
#define PF_INET 2
#define PF_INET6 10
#define PF_IPX 4
#define PF_IRDA 23
#define PF_KEY 15
#define PF_LLC 26
#define PF_NETBEUI 13
#define PF_NETLINK 16
#define PF_NETROM 6
#define PF_PPPOX 24
#define PF_QIPCRTR 42
#define PF_ROSE 11
#define PF_ROUTE 16
#define PF_SECURITY 14
#define PF_SNA 22
#define PF_TIPC 30
#define PF_UNIX 1
#define PF_VSOCK 40
#define PF_WANPIPE 25
#define PF_X25 9
#define PF_UNSPEC 0
#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_ZEROCOPY 60
#define SO_TIMESTAMP 29
#define SO_TIMESTAMPING 37
#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
#define MSG_ZEROCOPY 0x4000000
#define MSG_WAITFORONE 0x10000
#define PF_RDS 21
#define AF_SMC 43
enum { SHUT_RD, SHUT_WR, SHUT_RDWR };
#define SHUT_RD SHUT_RD
#define SHUT_WR SHUT_WR
#define SHUT_RDWR SHUT_RDWR
#define CMSG_DATA(c) ((unsigned char*)((struct cmsghdr*)(c) + 1))
#define CMSG_ALIGN(n) (((n) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_SPACE(n) (CMSG_ALIGN(n) + CMSG_ALIGN(sizeof(struct cmsghdr)))
#define CMSG_LEN(n) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (n))
#define CMSG_FIRSTHDR(m) ((struct cmsghdr*)(m)->msg_control)
#define CMSG_NXTHDR(m, c) ((struct cmsghdr*)((char*)(c) + CMSG_ALIGN((c)->cmsg_len)))
__BEGIN_DECLS
int socket(int, int, int); int socketpair(int, int, int, int[2]); int bind(int, const struct sockaddr*, socklen_t); int getsockname(int, struct sockaddr* __restrict, socklen_t* __restrict); int connect(int, const struct sockaddr*, socklen_t); int getpeername(int, struct sockaddr* __restrict, socklen_t* __restrict); ssize_t send(int, const void*, size_t, int); ssize_t recv(int, void*, size_t, int); ssize_t sendto(int, const void*, size_t, int, const struct sockaddr*, socklen_t); ssize_t recvfrom(int, void* __restrict, size_t, int, struct sockaddr* __restrict, socklen_t* __restrict); ssize_t sendmsg(int, const struct msghdr*, int); ssize_t recvmsg(int, struct msghdr*, int); int sendmmsg(int, struct mmsghdr*, unsigned int, int); int recvmmsg(int, struct mmsghdr*, unsigned int, int, struct timespec*); int getsockopt(int, int, int, void* __restrict, socklen_t* __restrict); int setsockopt(int, int, int, const void*, socklen_t); int listen(int, int); int accept(int, struct sockaddr* __restrict, socklen_t* __restrict); int accept4(int, struct sockaddr* __restrict, socklen_t* __restrict, int); int shutdown(int, int); int sockatmark(int);
__END_DECLS
#include <asm/sockios.h>
