// Parse-only stand-in for infiniband/mlx5dv.h (device queries, DMA-BUF, DevX).
#pragma once
#include <stdbool.h>
#include "verbs.h"
#define DEVX_SET(t, p, f, v) ((void)(p), (void)(v))
#define DEVX_SET64(t, p, f, v) ((void)(p), (void)(v))
#define DEVX_GET(t, p, f) ((void)(p), 0u)
#define DEVX_GET64(t, p, f) ((void)(p), 0ull)
#define DEVX_BYTE_OFF(t, f) 0
#define DEVX_ADDR_OF(t, p, f) ((unsigned char*)(p))
#define DEVX_ST_SZ_BYTES(t) 64
#define DEVX_ST_SZ_DW(t) 16
#define DEVX_FLD_SZ_BYTES(t, f) 8
#ifdef __cplusplus
extern "C" {
#endif
enum mlx5dv_reg_dmabuf_access { MLX5DV_REG_DMABUF_ACCESS_DATA_DIRECT = 1 }; enum mlx5dv_obj_type { MLX5DV_OBJ_QP = 1, MLX5DV_OBJ_CQ = 2, MLX5DV_OBJ_SRQ = 4, MLX5DV_OBJ_RWQ = 8, MLX5DV_OBJ_DM = 16, MLX5DV_OBJ_AH = 32, MLX5DV_OBJ_PD = 64 }; enum { MLX5DV_UAR_ALLOC_TYPE_BF, MLX5DV_UAR_ALLOC_TYPE_NC }; enum mlx5dv_devx_umem_in_mask { MLX5DV_UMEM_MASK_DMABUF = 1 };
struct mlx5_wqe_av { union { uint32_t qkey; uint64_t dc_key; } key; uint32_t dqp_dct; uint8_t stat_rate_sl, fl_mlid; uint16_t rlid; uint8_t reserved0[4], rmac[6], tclass, hop_limit; uint32_t grh_gid_fl; uint8_t rgid[16]; }; struct mlx5dv_context { uint8_t version; uint64_t flags, comp_mask; uint32_t max_dynamic_bfregs; }; struct mlx5dv_context_attr { uint32_t flags; uint64_t comp_mask; }; struct mlx5dv_pd { uint32_t pdn; uint64_t comp_mask; }; struct mlx5dv_ah { struct mlx5_wqe_av* av; uint64_t comp_mask; }; struct mlx5dv_qp { uint32_t* dbrec; uint64_t comp_mask; }; struct mlx5dv_cq { void* buf; uint32_t* dbrec; uint32_t cqe_cnt, cqe_size, cqn; }; struct mlx5dv_srq { void* buf; uint32_t srqn; }; struct mlx5dv_rwq { void* buf; }; struct mlx5dv_dm { void* buf; };
struct mlx5dv_obj { struct { struct ibv_qp* in; struct mlx5dv_qp* out; } qp; struct { struct ibv_cq* in; struct mlx5dv_cq* out; } cq; struct { struct ibv_srq* in; struct mlx5dv_srq* out; } srq; struct { struct ibv_ah* in; struct mlx5dv_ah* out; } ah; struct { struct ibv_pd* in; struct mlx5dv_pd* out; } pd; };
struct mlx5dv_devx_obj; struct mlx5dv_devx_umem { uint32_t umem_id; }; struct mlx5dv_devx_umem_in { void* addr; size_t size; uint32_t access; uint64_t pgsz_bitmap, comp_mask; int dmabuf_fd; }; struct mlx5dv_devx_uar { void *reg_addr, *base_addr; uint32_t page_id; off_t mmap_off; uint64_t comp_mask; };
bool mlx5dv_is_supported(struct ibv_device* device); struct ibv_context* mlx5dv_open_device(struct ibv_device* device, struct mlx5dv_context_attr* attr); int mlx5dv_query_device(struct ibv_context* ctx, struct mlx5dv_context* attrs); int mlx5dv_init_obj(struct mlx5dv_obj* obj, uint64_t obj_type); struct ibv_mr* mlx5dv_reg_dmabuf_mr(struct ibv_pd* pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access, int mlx5_access); int mlx5dv_get_data_direct_sysfs_path(struct ibv_context* context, char* buf, size_t buf_len);
struct mlx5dv_devx_obj* mlx5dv_devx_obj_create(struct ibv_context* c, const void* in, size_t inlen, void* out, size_t outlen); int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj* o); int mlx5dv_devx_obj_query(struct mlx5dv_devx_obj* o, const void* in, size_t inlen, void* out, size_t outlen); int mlx5dv_devx_obj_modify(struct mlx5dv_devx_obj* o, const void* in, size_t inlen, void* out, size_t outlen); int mlx5dv_devx_general_cmd(struct ibv_context* c, const void* in, size_t inlen, void* out, size_t outlen); int mlx5dv_devx_query_eqn(struct ibv_context* c, uint32_t vector, uint32_t* eqn); struct mlx5dv_devx_umem* mlx5dv_devx_umem_reg(struct ibv_context* c, void* addr, size_t size, uint32_t access); struct mlx5dv_devx_umem* mlx5dv_devx_umem_reg_ex(struct ibv_context* c, struct mlx5dv_devx_umem_in* in); int mlx5dv_devx_umem_dereg(struct mlx5dv_devx_umem* u); struct mlx5dv_devx_uar* mlx5dv_devx_alloc_uar(struct ibv_context* c, uint32_t flags); void mlx5dv_devx_free_uar(struct mlx5dv_devx_uar* u);
#ifdef __cplusplus
}
#endif
