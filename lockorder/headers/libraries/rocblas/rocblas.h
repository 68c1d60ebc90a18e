// Parse-only stand-in for rocblas/rocblas.h (minimal).
#pragma once
#include "../hip/hip_runtime_api.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct _rocblas_handle* rocblas_handle; typedef int rocblas_int; typedef int64_t rocblas_stride;
typedef enum rocblas_status_ { rocblas_status_success, rocblas_status_invalid_handle, rocblas_status_not_implemented, rocblas_status_invalid_pointer, rocblas_status_invalid_size, rocblas_status_memory_error, rocblas_status_internal_error } rocblas_status; typedef enum rocblas_operation_ { rocblas_operation_none = 111, rocblas_operation_transpose, rocblas_operation_conjugate_transpose } rocblas_operation; typedef enum rocblas_datatype_ { rocblas_datatype_f16_r = 150, rocblas_datatype_f32_r, rocblas_datatype_f64_r, rocblas_datatype_bf16_r = 168, rocblas_datatype_i8_r = 160, rocblas_datatype_i32_r = 162 } rocblas_datatype; typedef enum rocblas_gemm_algo_ { rocblas_gemm_algo_standard, rocblas_gemm_algo_solution_index } rocblas_gemm_algo; typedef enum rocblas_pointer_mode_ { rocblas_pointer_mode_host, rocblas_pointer_mode_device } rocblas_pointer_mode; typedef enum rocblas_gemm_flags_ { rocblas_gemm_flags_none = 0, rocblas_gemm_flags_fp16_alt_impl = 4 } rocblas_gemm_flags;
rocblas_status rocblas_create_handle(rocblas_handle* h); rocblas_status rocblas_destroy_handle(rocblas_handle h); rocblas_status rocblas_set_stream(rocblas_handle h, hipStream_t s); rocblas_status rocblas_get_stream(rocblas_handle h, hipStream_t* s); rocblas_status rocblas_set_pointer_mode(rocblas_handle h, rocblas_pointer_mode m); rocblas_status rocblas_set_workspace(rocblas_handle h, void* p, size_t n); rocblas_status rocblas_gemm_ex(rocblas_handle h, ...); rocblas_status rocblas_gemm_strided_batched_ex(rocblas_handle h, ...); rocblas_status rocblas_sgemm(rocblas_handle h, ...); rocblas_status rocblas_dgemm(rocblas_handle h, ...); rocblas_status rocblas_dot_ex(rocblas_handle h, ...); const char* rocblas_status_to_string(rocblas_status s);
#ifdef __cplusplus
}
#endif
