// Parse-only stand-in for miopen/miopen.h (minimal).
#pragma once
#include "../hip/hip_runtime_api.h"
#include "version.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct miopenHandle* miopenHandle_t; typedef struct miopenTensorDescriptor* miopenTensorDescriptor_t; typedef struct miopenConvolutionDescriptor* miopenConvolutionDescriptor_t; typedef struct miopenRNNDescriptor* miopenRNNDescriptor_t; typedef struct miopenDropoutDescriptor* miopenDropoutDescriptor_t; typedef hipStream_t miopenAcceleratorQueue_t;
typedef enum { miopenStatusSuccess, miopenStatusNotInitialized, miopenStatusInvalidValue, miopenStatusBadParm, miopenStatusAllocFailed, miopenStatusInternalError, miopenStatusNotImplemented, miopenStatusUnknownError, miopenStatusUnsupportedOp } miopenStatus_t; typedef enum { miopenHalf, miopenFloat, miopenInt32, miopenInt8, miopenBFloat16 = 5, miopenDouble } miopenDataType_t; typedef enum { miopenConvolution, miopenTranspose, miopenGroupConv, miopenDepthwise } miopenConvolutionMode_t; typedef enum { miopenBNPerActivation, miopenBNSpatial } miopenBatchNormMode_t; typedef enum { miopenRNNRELU, miopenRNNTANH, miopenLSTM, miopenGRU } miopenRNNMode_t;
const char* miopenGetErrorString(miopenStatus_t e); miopenStatus_t miopenCreate(miopenHandle_t* h); miopenStatus_t miopenCreateWithStream(miopenHandle_t* h, miopenAcceleratorQueue_t s); miopenStatus_t miopenDestroy(miopenHandle_t h); miopenStatus_t miopenSetStream(miopenHandle_t h, miopenAcceleratorQueue_t s); miopenStatus_t miopenGetStream(miopenHandle_t h, miopenAcceleratorQueue_t* s); miopenStatus_t miopenCreateTensorDescriptor(miopenTensorDescriptor_t* d); miopenStatus_t miopenDestroyTensorDescriptor(miopenTensorDescriptor_t d); miopenStatus_t miopenSetTensorDescriptor(miopenTensorDescriptor_t d, miopenDataType_t t, int n, const int* dims, const int* strides); miopenStatus_t miopenCreateConvolutionDescriptor(miopenConvolutionDescriptor_t* d); miopenStatus_t miopenDestroyConvolutionDescriptor(miopenConvolutionDescriptor_t d); miopenStatus_t miopenConvolutionForward(miopenHandle_t h, ...); miopenStatus_t miopenFindConvolutionForwardAlgorithm(miopenHandle_t h, ...);
#ifdef __cplusplus
}
#endif
