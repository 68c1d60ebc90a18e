// Parse-only stand-in for libibverbs' infiniband/verbs.h.
#pragma once
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
union ibv_gid { uint8_t raw[16]; struct { uint64_t subnet_prefix, interface_id; } global; };
enum ibv_node_type { IBV_NODE_UNKNOWN = -1, IBV_NODE_CA = 1, IBV_NODE_SWITCH, IBV_NODE_ROUTER, IBV_NODE_RNIC };
enum ibv_transport_type { IBV_TRANSPORT_UNKNOWN = -1, IBV_TRANSPORT_IB, IBV_TRANSPORT_IWARP };
enum ibv_atomic_cap { IBV_ATOMIC_NONE, IBV_ATOMIC_HCA, IBV_ATOMIC_GLOB };
enum ibv_mtu { IBV_MTU_256 = 1, IBV_MTU_512, IBV_MTU_1024, IBV_MTU_2048, IBV_MTU_4096 };
enum ibv_port_state { IBV_PORT_NOP, IBV_PORT_DOWN, IBV_PORT_INIT, IBV_PORT_ARMED, IBV_PORT_ACTIVE, IBV_PORT_ACTIVE_DEFER };
enum { IBV_LINK_LAYER_UNSPECIFIED, IBV_LINK_LAYER_INFINIBAND, IBV_LINK_LAYER_ETHERNET };
enum ibv_event_type { IBV_EVENT_CQ_ERR, IBV_EVENT_QP_FATAL, IBV_EVENT_QP_REQ_ERR, IBV_EVENT_QP_ACCESS_ERR, IBV_EVENT_COMM_EST, IBV_EVENT_SQ_DRAINED, IBV_EVENT_PATH_MIG, IBV_EVENT_PATH_MIG_ERR, IBV_EVENT_DEVICE_FATAL, IBV_EVENT_PORT_ACTIVE, IBV_EVENT_PORT_ERR, IBV_EVENT_LID_CHANGE, IBV_EVENT_PKEY_CHANGE, IBV_EVENT_SM_CHANGE, IBV_EVENT_SRQ_ERR, IBV_EVENT_SRQ_LIMIT_REACHED, IBV_EVENT_QP_LAST_WQE_REACHED, IBV_EVENT_CLIENT_REREGISTER, IBV_EVENT_GID_CHANGE, IBV_EVENT_WQ_FATAL };
enum ibv_wc_status { IBV_WC_SUCCESS, IBV_WC_LOC_LEN_ERR, IBV_WC_LOC_QP_OP_ERR, IBV_WC_LOC_EEC_OP_ERR, IBV_WC_LOC_PROT_ERR, IBV_WC_WR_FLUSH_ERR, IBV_WC_MW_BIND_ERR, IBV_WC_BAD_RESP_ERR, IBV_WC_LOC_ACCESS_ERR, IBV_WC_REM_INV_REQ_ERR, IBV_WC_REM_ACCESS_ERR, IBV_WC_REM_OP_ERR, IBV_WC_RETRY_EXC_ERR, IBV_WC_RNR_RETRY_EXC_ERR, IBV_WC_LOC_RDD_VIOL_ERR, IBV_WC_REM_INV_RD_REQ_ERR, IBV_WC_REM_ABORT_ERR, IBV_WC_INV_EECN_ERR, IBV_WC_INV_EEC_STATE_ERR, IBV_WC_FATAL_ERR, IBV_WC_RESP_TIMEOUT_ERR, IBV_WC_GENERAL_ERR };
enum ibv_wc_opcode { IBV_WC_SEND, IBV_WC_RDMA_WRITE, IBV_WC_RDMA_READ, IBV_WC_COMP_SWAP, IBV_WC_FETCH_ADD, IBV_WC_BIND_MW, IBV_WC_RECV = 128, IBV_WC_RECV_RDMA_WITH_IMM };
enum ibv_wc_flags { IBV_WC_GRH = 1, IBV_WC_WITH_IMM = 2 };
enum ibv_access_flags { IBV_ACCESS_LOCAL_WRITE = 1, IBV_ACCESS_REMOTE_WRITE = 2, IBV_ACCESS_REMOTE_READ = 4, IBV_ACCESS_REMOTE_ATOMIC = 8, IBV_ACCESS_MW_BIND = 16, IBV_ACCESS_ZERO_BASED = 32, IBV_ACCESS_ON_DEMAND = 64, IBV_ACCESS_RELAXED_ORDERING = 1 << 20 };
enum ibv_qp_type { IBV_QPT_RC = 2, IBV_QPT_UC, IBV_QPT_UD, IBV_QPT_RAW_PACKET = 8, IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV, IBV_QPT_DRIVER = 0xff };
enum ibv_qp_state { IBV_QPS_RESET, IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QPS_SQD, IBV_QPS_SQE, IBV_QPS_ERR, IBV_QPS_UNKNOWN };
enum ibv_mig_state { IBV_MIG_MIGRATED, IBV_MIG_REARM, IBV_MIG_ARMED };
enum ibv_qp_attr_mask { IBV_QP_STATE = 1 << 0, IBV_QP_CUR_STATE = 1 << 1, IBV_QP_EN_SQD_ASYNC_NOTIFY = 1 << 2, IBV_QP_ACCESS_FLAGS = 1 << 3, IBV_QP_PKEY_INDEX = 1 << 4, IBV_QP_PORT = 1 << 5, IBV_QP_QKEY = 1 << 6, IBV_QP_AV = 1 << 7, IBV_QP_PATH_MTU = 1 << 8, IBV_QP_TIMEOUT = 1 << 9, IBV_QP_RETRY_CNT = 1 << 10, IBV_QP_RNR_RETRY = 1 << 11, IBV_QP_RQ_PSN = 1 << 12, IBV_QP_MAX_QP_RD_ATOMIC = 1 << 13, IBV_QP_ALT_PATH = 1 << 14, IBV_QP_MIN_RNR_TIMER = 1 << 15, IBV_QP_SQ_PSN = 1 << 16, IBV_QP_MAX_DEST_RD_ATOMIC = 1 << 17, IBV_QP_PATH_MIG_STATE = 1 << 18, IBV_QP_CAP = 1 << 19, IBV_QP_DEST_QPN = 1 << 20, IBV_QP_RATE_LIMIT = 1 << 25 };
enum ibv_wr_opcode { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_SEND, IBV_WR_SEND_WITH_IMM, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WR_ATOMIC_FETCH_AND_ADD };
enum ibv_send_flags { IBV_SEND_FENCE = 1, IBV_SEND_SIGNALED = 2, IBV_SEND_SOLICITED = 4, IBV_SEND_INLINE = 8 };
enum ibv_device_cap_flags { IBV_DEVICE_SRQ_RESIZE = 1 << 13, IBV_DEVICE_RC_RNR_NAK_GEN = 1 << 12 };
struct ibv_device_ops; struct ibv_comp_channel; struct ibv_context; struct ibv_pd; struct ibv_qp; struct ibv_cq; struct ibv_srq; struct ibv_ah; struct ibv_mw; struct ibv_xrcd; struct ibv_dm;
struct ibv_device { enum ibv_node_type node_type; enum ibv_transport_type transport_type; char name[64], dev_name[64], dev_path[256], ibdev_path[256]; };
struct ibv_context { struct ibv_device* device; int cmd_fd, async_fd, num_comp_vectors; pthread_mutex_t mutex; void* abi_compat; };
struct ibv_device_attr { char fw_ver[64]; uint64_t node_guid, sys_image_guid, max_mr_size, page_size_cap; uint32_t vendor_id, vendor_part_id, hw_ver; int max_qp, max_qp_wr; unsigned int device_cap_flags; int max_sge, max_sge_rd, max_cq, max_cqe, max_mr, max_pd, max_qp_rd_atom, max_ee_rd_atom, max_res_rd_atom, max_qp_init_rd_atom, max_ee_init_rd_atom; enum ibv_atomic_cap atomic_cap; int max_ah, max_srq, max_srq_wr, max_srq_sge; uint16_t max_pkeys; uint8_t local_ca_ack_delay, phys_port_cnt; };
struct ibv_device_attr_ex { struct ibv_device_attr orig_attr; uint32_t comp_mask; };
struct ibv_port_attr { enum ibv_port_state state; enum ibv_mtu max_mtu, active_mtu; int gid_tbl_len; uint32_t port_cap_flags, max_msg_sz, bad_pkey_cntr, qkey_viol_cntr; uint16_t pkey_tbl_len, lid, sm_lid; uint8_t lmc, max_vl_num, sm_sl, subnet_timeout, init_type_reply, active_width, active_speed, phys_state, link_layer, flags; uint16_t port_cap_flags2; uint32_t active_speed_ex; };
struct ibv_pd { struct ibv_context* context; uint32_t handle; };
struct ibv_mr { struct ibv_context* context; struct ibv_pd* pd; void* addr; size_t length; uint32_t handle, lkey, rkey; };
struct ibv_comp_channel { struct ibv_context* context; int fd, refcnt; };
struct ibv_cq { struct ibv_context* context; struct ibv_comp_channel* channel; void* cq_context; uint32_t handle; int cqe; };
struct ibv_srq { struct ibv_context* context; void* srq_context; struct ibv_pd* pd; uint32_t handle; };
struct ibv_qp { struct ibv_context* context; void* qp_context; struct ibv_pd* pd; struct ibv_cq *send_cq, *recv_cq; struct ibv_srq* srq; uint32_t handle, qp_num; enum ibv_qp_state state; enum ibv_qp_type qp_type; };
struct ibv_ah { struct ibv_context* context; struct ibv_pd* pd; uint32_t handle; };
struct ibv_global_route { union ibv_gid dgid; uint32_t flow_label; uint8_t sgid_index, hop_limit, traffic_class; };
struct ibv_grh { uint32_t version_tclass_flow; uint16_t paylen; uint8_t next_hdr, hop_limit; union ibv_gid sgid, dgid; };
struct ibv_ah_attr { struct ibv_global_route grh; uint16_t dlid; uint8_t sl, src_path_bits, static_rate, is_global, port_num; };
struct ibv_qp_cap { uint32_t max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data; };
struct ibv_qp_init_attr { void* qp_context; struct ibv_cq *send_cq, *recv_cq; struct ibv_srq* srq; struct ibv_qp_cap cap; enum ibv_qp_type qp_type; int sq_sig_all; };
struct ibv_qp_init_attr_ex { void* qp_context; struct ibv_cq *send_cq, *recv_cq; struct ibv_srq* srq; struct ibv_qp_cap cap; enum ibv_qp_type qp_type; int sq_sig_all; uint32_t comp_mask; struct ibv_pd* pd; };
struct ibv_qp_attr { enum ibv_qp_state qp_state, cur_qp_state; enum ibv_mtu path_mtu; enum ibv_mig_state path_mig_state; uint32_t qkey, rq_psn, sq_psn, dest_qp_num; unsigned int qp_access_flags; struct ibv_qp_cap cap; struct ibv_ah_attr ah_attr, alt_ah_attr; uint16_t pkey_index, alt_pkey_index; uint8_t en_sqd_async_notify, sq_draining, max_rd_atomic, max_dest_rd_atomic, min_rnr_timer, port_num, timeout, retry_cnt, rnr_retry, alt_port_num, alt_timeout; uint32_t rate_limit; };
struct ibv_srq_attr { uint32_t max_wr, max_sge, srq_limit; }; struct ibv_srq_init_attr { void* srq_context; struct ibv_srq_attr attr; };
struct ibv_sge { uint64_t addr; uint32_t length, lkey; };
struct ibv_send_wr { uint64_t wr_id; struct ibv_send_wr* next; struct ibv_sge* sg_list; int num_sge; enum ibv_wr_opcode opcode; unsigned int send_flags; union { uint32_t imm_data, invalidate_rkey; }; union { struct { uint64_t remote_addr; uint32_t rkey; } rdma; struct { uint64_t remote_addr, compare_add, swap; uint32_t rkey; } atomic; struct { struct ibv_ah* ah; uint32_t remote_qpn, remote_qkey; } ud; } wr; };
struct ibv_recv_wr { uint64_t wr_id; struct ibv_recv_wr* next; struct ibv_sge* sg_list; int num_sge; };
struct ibv_wc { uint64_t wr_id; enum ibv_wc_status status; enum ibv_wc_opcode opcode; uint32_t vendor_err, byte_len; union { uint32_t imm_data, invalidated_rkey; }; uint32_t qp_num, src_qp; unsigned int wc_flags; uint16_t pkey_index, slid; uint8_t sl, dlid_path_bits; };
struct ibv_async_event { union { struct ibv_cq* cq; struct ibv_qp* qp; struct ibv_srq* srq; int port_num; } element; enum ibv_event_type event_type; };
struct ibv_ece { uint32_t vendor_id, options, comp_mask; };
struct ibv_device** ibv_get_device_list(int* num_devices); void ibv_free_device_list(struct ibv_device** list); const char* ibv_get_device_name(struct ibv_device* device); uint64_t ibv_get_device_guid(struct ibv_device* device); struct ibv_context* ibv_open_device(struct ibv_device* device); int ibv_close_device(struct ibv_context* context); int ibv_get_async_event(struct ibv_context* context, struct ibv_async_event* event); void ibv_ack_async_event(struct ibv_async_event* event); int ibv_query_device(struct ibv_context* context, struct ibv_device_attr* attr); int ibv_query_device_ex(struct ibv_context* context, const void* input, struct ibv_device_attr_ex* attr); int ibv_query_port(struct ibv_context* context, uint8_t port_num, struct ibv_port_attr* attr); int ibv_query_gid(struct ibv_context* context, uint8_t port_num, int index, union ibv_gid* gid); int ibv_query_pkey(struct ibv_context* context, uint8_t port_num, int index, uint16_t* pkey);
struct ibv_pd* ibv_alloc_pd(struct ibv_context* context); int ibv_dealloc_pd(struct ibv_pd* pd); struct ibv_mr* ibv_reg_mr(struct ibv_pd* pd, void* addr, size_t length, int access); struct ibv_mr* ibv_reg_mr_iova(struct ibv_pd* pd, void* addr, size_t length, uint64_t iova, int access); struct ibv_mr* ibv_reg_mr_iova2(struct ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned int access); struct ibv_mr* ibv_reg_dmabuf_mr(struct ibv_pd* pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access); int ibv_dereg_mr(struct ibv_mr* mr); struct ibv_comp_channel* ibv_create_comp_channel(struct ibv_context* context); int ibv_destroy_comp_channel(struct ibv_comp_channel* channel); struct ibv_cq* ibv_create_cq(struct ibv_context* context, int cqe, void* cq_context, struct ibv_comp_channel* channel, int comp_vector); int ibv_resize_cq(struct ibv_cq* cq, int cqe); int ibv_destroy_cq(struct ibv_cq* cq); int ibv_get_cq_event(struct ibv_comp_channel* channel, struct ibv_cq** cq, void** cq_context); void ibv_ack_cq_events(struct ibv_cq* cq, unsigned int nevents); int ibv_req_notify_cq(struct ibv_cq* cq, int solicited_only); int ibv_poll_cq(struct ibv_cq* cq, int num_entries, struct ibv_wc* wc);
struct ibv_srq* ibv_create_srq(struct ibv_pd* pd, struct ibv_srq_init_attr* attr); int ibv_destroy_srq(struct ibv_srq* srq); struct ibv_qp* ibv_create_qp(struct ibv_pd* pd, struct ibv_qp_init_attr* attr); struct ibv_qp* ibv_create_qp_ex(struct ibv_context* context, struct ibv_qp_init_attr_ex* attr); int ibv_modify_qp(struct ibv_qp* qp, struct ibv_qp_attr* attr, int attr_mask); int ibv_query_qp(struct ibv_qp* qp, struct ibv_qp_attr* attr, int attr_mask, struct ibv_qp_init_attr* init_attr); int ibv_destroy_qp(struct ibv_qp* qp); int ibv_post_send(struct ibv_qp* qp, struct ibv_send_wr* wr, struct ibv_send_wr** bad_wr); int ibv_post_recv(struct ibv_qp* qp, struct ibv_recv_wr* wr, struct ibv_recv_wr** bad_wr); int ibv_post_srq_recv(struct ibv_srq* srq, struct ibv_recv_wr* wr, struct ibv_recv_wr** bad_wr); struct ibv_ah* ibv_create_ah(struct ibv_pd* pd, struct ibv_ah_attr* attr); int ibv_destroy_ah(struct ibv_ah* ah); int ibv_query_ece(struct ibv_qp* qp, struct ibv_ece* ece); int ibv_set_ece(struct ibv_qp* qp, struct ibv_ece* ece);
int ibv_fork_init(void); const char* ibv_wc_status_str(enum ibv_wc_status status); const char* ibv_event_type_str(enum ibv_event_type event); const char* ibv_node_type_str(enum ibv_node_type t); const char* ibv_port_state_str(enum ibv_port_state s);
#ifdef __cplusplus
}
#endif
