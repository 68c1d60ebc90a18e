// Parse-only stand-in for CUDA's crt/host_defines.h: the function and variable qualifiers, which vanish.
#pragma once
#ifndef __global__
#define __global__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __host__
#define __host__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#ifndef __forceinline__
#define __forceinline__ inline
#endif
#ifndef __noinline__
#define __noinline__
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#ifndef __maxnreg__
#define __maxnreg__(...)
#endif
#ifndef __cluster_dims__
#define __cluster_dims__(...)
#endif
#ifndef __block_size__
#define __block_size__(...)
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __align__
#define __align__(...)
#endif
#ifndef __builtin_align__
#define __builtin_align__(...)
#endif
#ifndef __nv_pure__
#define __nv_pure__
#endif
#ifndef __cudart_builtin__
#define __cudart_builtin__
#endif
#ifndef __device_builtin__
#define __device_builtin__
#endif
#ifndef __tile__
#define __tile__
#endif
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDARTAPI_CDECL
#define CUDARTAPI_CDECL
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif
#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB
#endif
