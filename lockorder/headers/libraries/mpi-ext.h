// Parse-only stand-in for Open MPI's mpi-ext.h.
#pragma once
#include "mpi.h"
#define MPIX_CUDA_AWARE_SUPPORT 1
#define MPIX_ROCM_AWARE_SUPPORT 1
#ifdef __cplusplus
extern "C" {
#endif
int MPIX_Query_cuda_support(void); int MPIX_Query_rocm_support(void); int MPIX_Comm_revoke(MPI_Comm comm); int MPIX_Comm_shrink(MPI_Comm comm, MPI_Comm* newcomm); int MPIX_Comm_agree(MPI_Comm comm, int* flag); int MPIX_Comm_failure_ack(MPI_Comm comm);
#ifdef __cplusplus
}
#endif
