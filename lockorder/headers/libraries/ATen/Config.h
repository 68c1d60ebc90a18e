// Parse-only stand-in for PyTorch: ATen/Config.h.
#pragma once
#define AT_MKLDNN_ENABLED() 0
#define AT_MKL_ENABLED() 0
#define AT_NNPACK_ENABLED() 0
#define AT_PARALLEL_OPENMP 1
#define AT_PARALLEL_NATIVE 0
#define AT_PARALLEL_NATIVE_TBB 0
#define AT_BLAS_F2C() 0
#define AT_POCKETFFT_ENABLED() 0
#define CAFFE2_STATIC_LINK_CUDA() 0
