// Parse-only stand-in for CUDA's math_constants.h.
#pragma once
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.14f
#define CUDART_PI 3.14
#define CUDART_MAX_NORMAL_F 3.4e38f
#define CUDART_MIN_DENORM_F 1.4e-45f
#define CUDART_L2E_F 1.44f
#define CUDART_LN2_F 0.69f
