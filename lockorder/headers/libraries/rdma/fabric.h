// Parse-only stand-in for libfabric's rdma/fabric.h (minimal, the companion headers included).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#ifdef __cplusplus
extern "C" {
#endif
#define FI_VERSION(major, minor) (((major) << 16) | (minor))
#define FI_MAJOR_VERSION 1
#define FI_MINOR_VERSION 20
enum { FI_SUCCESS = 0, FI_EAGAIN = 11, FI_ENODATA = 61, FI_EAVAIL = 259 };
#define FI_MSG (1ULL << 1)
#define FI_RMA (1ULL << 2)
#define FI_TAGGED (1ULL << 3)
#define FI_ATOMIC (1ULL << 4)
#define FI_READ (1ULL << 8)
#define FI_WRITE (1ULL << 9)
#define FI_RECV (1ULL << 10)
#define FI_SEND (1ULL << 11)
#define FI_TRANSMIT FI_SEND
#define FI_REMOTE_READ (1ULL << 12)
#define FI_REMOTE_WRITE (1ULL << 13)
#define FI_COMPLETION (1ULL << 24)
#define FI_HMEM (1ULL << 47)
#define FI_LOCAL_COMM (1ULL << 53)
#define FI_REMOTE_COMM (1ULL << 54)
#define FI_ADDR_UNSPEC ((uint64_t)-1)
typedef uint64_t fi_addr_t;
enum fi_threading { FI_THREAD_UNSPEC, FI_THREAD_SAFE, FI_THREAD_FID, FI_THREAD_DOMAIN, FI_THREAD_COMPLETION, FI_THREAD_ENDPOINT }; enum fi_progress { FI_PROGRESS_UNSPEC, FI_PROGRESS_AUTO, FI_PROGRESS_MANUAL }; enum fi_ep_type { FI_EP_UNSPEC, FI_EP_MSG, FI_EP_DGRAM, FI_EP_RDM }; enum fi_av_type { FI_AV_UNSPEC, FI_AV_MAP, FI_AV_TABLE }; enum fi_cq_format { FI_CQ_FORMAT_UNSPEC, FI_CQ_FORMAT_CONTEXT, FI_CQ_FORMAT_MSG, FI_CQ_FORMAT_DATA, FI_CQ_FORMAT_TAGGED }; enum fi_wait_obj { FI_WAIT_NONE, FI_WAIT_UNSPEC, FI_WAIT_FD }; enum fi_hmem_iface { FI_HMEM_SYSTEM, FI_HMEM_CUDA, FI_HMEM_ROCR, FI_HMEM_ZE, FI_HMEM_NEURON };
struct fid { size_t fclass; void* context; void* ops; }; struct fid_fabric { struct fid fid; }; struct fid_domain { struct fid fid; }; struct fid_ep { struct fid fid; }; struct fid_cq { struct fid fid; }; struct fid_av { struct fid fid; }; struct fid_mr { struct fid fid; void* mem_desc; uint64_t key; }; struct fid_eq { struct fid fid; }; struct fid_cntr { struct fid fid; };
struct fi_context { void* internal[4]; }; struct fi_context2 { void* internal[8]; };
struct fi_fabric_attr { struct fid_fabric* fabric; char *name, *prov_name; uint32_t prov_version, api_version; }; struct fi_domain_attr { struct fid_domain* domain; char* name; enum fi_threading threading; enum fi_progress control_progress, data_progress; int mr_mode; size_t mr_key_size, cq_data_size, mr_iov_limit, max_ep_tx_ctx; enum fi_av_type av_type; }; struct fi_ep_attr { enum fi_ep_type type; uint32_t protocol; size_t max_msg_size, mem_tag_format; }; struct fi_tx_attr { uint64_t caps, mode, op_flags, msg_order; size_t inject_size, size, iov_limit, rma_iov_limit; }; struct fi_rx_attr { uint64_t caps, mode, op_flags, msg_order; size_t size, iov_limit; };
struct fi_info { struct fi_info* next; uint64_t caps, mode; uint32_t addr_format; size_t src_addrlen, dest_addrlen; void *src_addr, *dest_addr; struct fi_tx_attr* tx_attr; struct fi_rx_attr* rx_attr; struct fi_ep_attr* ep_attr; struct fi_domain_attr* domain_attr; struct fi_fabric_attr* fabric_attr; void* nic; };
struct fi_cq_attr { size_t size; uint64_t flags; enum fi_cq_format format; enum fi_wait_obj wait_obj; }; struct fi_av_attr { enum fi_av_type type; size_t count; const char* name; }; struct fi_mr_attr { const struct iovec* mr_iov; size_t iov_count; uint64_t access, offset, requested_key; void* context; enum fi_hmem_iface iface; union { uint64_t reserved; int cuda, neuron; } device; }; struct fi_cq_tagged_entry { void* op_context; uint64_t flags; size_t len; void* buf; uint64_t data, tag; }; struct fi_cq_data_entry { void* op_context; uint64_t flags; size_t len; void* buf; uint64_t data; }; struct fi_cq_err_entry { void* op_context; uint64_t flags; size_t len; void* buf; uint64_t data, tag; size_t olen; int err, prov_errno; void* err_data; size_t err_data_size; };
int fi_getinfo(uint32_t version, const char* node, const char* service, uint64_t flags, const struct fi_info* hints, struct fi_info** info); void fi_freeinfo(struct fi_info* info); struct fi_info* fi_allocinfo(void); struct fi_info* fi_dupinfo(const struct fi_info* info); const char* fi_strerror(int err); uint32_t fi_version(void); char* fi_tostr(const void* data, int type); int fi_fabric(struct fi_fabric_attr* attr, struct fid_fabric** fabric, void* context); int fi_domain(struct fid_fabric* fabric, struct fi_info* info, struct fid_domain** domain, void* context); int fi_endpoint(struct fid_domain* domain, struct fi_info* info, struct fid_ep** ep, void* context); int fi_cq_open(struct fid_domain* domain, struct fi_cq_attr* attr, struct fid_cq** cq, void* context); int fi_av_open(struct fid_domain* domain, struct fi_av_attr* attr, struct fid_av** av, void* context); int fi_ep_bind(struct fid_ep* ep, struct fid* fid, uint64_t flags); int fi_enable(struct fid_ep* ep); int fi_close(struct fid* fid); int fi_getname(struct fid* fid, void* addr, size_t* len); int fi_av_insert(struct fid_av* av, const void* addr, size_t count, fi_addr_t* fi_addr, uint64_t flags, void* context); int fi_av_remove(struct fid_av* av, fi_addr_t* fi_addr, size_t count, uint64_t flags);
int fi_mr_reg(struct fid_domain* domain, const void* buf, size_t len, uint64_t access, uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr** mr, void* context); int fi_mr_regattr(struct fid_domain* domain, const struct fi_mr_attr* attr, uint64_t flags, struct fid_mr** mr); void* fi_mr_desc(struct fid_mr* mr); uint64_t fi_mr_key(struct fid_mr* mr); ssize_t fi_send(struct fid_ep* ep, const void* buf, size_t len, void* desc, fi_addr_t dest, void* context); ssize_t fi_recv(struct fid_ep* ep, void* buf, size_t len, void* desc, fi_addr_t src, void* context); ssize_t fi_tsend(struct fid_ep* ep, const void* buf, size_t len, void* desc, fi_addr_t dest, uint64_t tag, void* context); ssize_t fi_trecv(struct fid_ep* ep, void* buf, size_t len, void* desc, fi_addr_t src, uint64_t tag, uint64_t ignore, void* context); ssize_t fi_read(struct fid_ep* ep, void* buf, size_t len, void* desc, fi_addr_t src, uint64_t addr, uint64_t key, void* context); ssize_t fi_write(struct fid_ep* ep, const void* buf, size_t len, void* desc, fi_addr_t dest, uint64_t addr, uint64_t key, void* context); ssize_t fi_writedata(struct fid_ep* ep, const void* buf, size_t len, void* desc, uint64_t data, fi_addr_t dest, uint64_t addr, uint64_t key, void* context); ssize_t fi_cq_read(struct fid_cq* cq, void* buf, size_t count); ssize_t fi_cq_readfrom(struct fid_cq* cq, void* buf, size_t count, fi_addr_t* src); ssize_t fi_cq_readerr(struct fid_cq* cq, struct fi_cq_err_entry* buf, uint64_t flags); const char* fi_cq_strerror(struct fid_cq* cq, int prov_errno, const void* err_data, char* buf, size_t len); ssize_t fi_cancel(struct fid* fid, void* context); int fi_setopt(struct fid* fid, int level, int optname, const void* optval, size_t optlen); int fi_getopt(struct fid* fid, int level, int optname, void* optval, size_t* optlen);
#ifdef __cplusplus
}
#endif
