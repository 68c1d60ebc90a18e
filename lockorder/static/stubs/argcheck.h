// Parse-only stand-in for NCCL's own: argcheck.h.
#pragma once
#include <nccl.h>
struct ncclInfo; struct ncclComm;
ncclResult_t PtrCheck(const void* ptr, const char* opname, const char* ptrname); ncclResult_t CommCheck(struct ncclComm* ptr, const char* opname, const char* ptrname); ncclResult_t ArgsCheck(struct ncclInfo* info); ncclResult_t CudaPtrCheck(const void* pointer, struct ncclComm* comm, const char* ptrname, const char* opname);
