// Parse-only stand-in for NCCL's own: checks.h.
#pragma once
#include <cuda_runtime.h>
#include <debug.h>
#include <errno.h>
#include <pthread.h>
#include <new>
#include <thread>
#ifndef CUDACHECK
#define CUDACHECK(cmd) do { cudaError_t lostub_e = (cmd); if (lostub_e != cudaSuccess) return ncclUnhandledCudaError; } while (0)
#endif
#ifndef CUDACHECKGOTO
#define CUDACHECKGOTO(cmd, RES, label) do { cudaError_t lostub_e = (cmd); if (lostub_e != cudaSuccess) { RES = ncclUnhandledCudaError; goto label; } } while (0)
#endif
#define CUDACHECKIGNORE(cmd) do { cudaError_t lostub_e = (cmd); if (lostub_e != cudaSuccess) (void)cudaGetLastError(); } while (0)
#define CUDASUCCESS(cmd) ((cmd) == cudaSuccess)
#define CUDACLEARERROR(cmd) (cmd)
#ifndef SYSCHECK
#define SYSCHECK(statement, name) do { int lostub_r; do { lostub_r = (statement); } while (lostub_r == -1 && (errno == EINTR || errno == EWOULDBLOCK || errno == EAGAIN)); if (lostub_r == -1) return ncclSystemError; } while (0)
#endif
#ifndef SYSCHECKVAL
#define SYSCHECKVAL(statement, name, retval) do { do { retval = (statement); } while (retval == -1 && (errno == EINTR || errno == EWOULDBLOCK || errno == EAGAIN)); if (retval == -1) return ncclSystemError; } while (0)
#endif
#define SYSCHECKSYNC(statement, name, retval) do { retval = (statement); } while (retval == -1 && (errno == EINTR || errno == EWOULDBLOCK || errno == EAGAIN))
#ifndef SYSCHECKGOTO
#define SYSCHECKGOTO(statement, name, RES, label) do { int lostub_r; do { lostub_r = (statement); } while (lostub_r == -1 && (errno == EINTR || errno == EWOULDBLOCK || errno == EAGAIN)); if (lostub_r == -1) { RES = ncclSystemError; goto label; } } while (0)
#endif
#ifndef PTHREADCHECK
#define PTHREADCHECK(statement, name) do { int lostub_r = (statement); if (lostub_r != 0) return ncclSystemError; } while (0)
#endif
#ifndef PTHREADCHECKGOTO
#define PTHREADCHECKGOTO(statement, name, RES, label) do { int lostub_r = (statement); if (lostub_r != 0) { RES = ncclSystemError; goto label; } } while (0)
#endif
#ifndef NEQCHECK
#define NEQCHECK(statement, value) do {  if ((statement) != value) return ncclSystemError; } while (0)
#endif
#ifndef NEQCHECKGOTO
#define NEQCHECKGOTO(statement, value, RES, label) do {  if ((statement) != value) { RES = ncclSystemError; goto label; } } while (0)
#endif
#ifndef EQCHECK
#define EQCHECK(statement, value) do {  if ((statement) == value) return ncclSystemError; } while (0)
#endif
#ifndef EQCHECKGOTO
#define EQCHECKGOTO(statement, value, RES, label) do {  if ((statement) == value) { RES = ncclSystemError; goto label; } } while (0)
#endif
#ifndef NCCLCHECK
#define NCCLCHECK(call) do { ncclResult_t lostub_r = (call); if (lostub_r != ncclSuccess && lostub_r != ncclInProgress) return lostub_r; } while (0)
#endif
#ifndef NCCLCHECKGOTO
#define NCCLCHECKGOTO(call, RES, label) do { RES = (call); if (RES != ncclSuccess && RES != ncclInProgress) { goto label; } } while (0)
#endif
#define NCCLCHECKIGNORE(call, RES) do { ncclResult_t lostub_r = (call); if (lostub_r != ncclSuccess && RES == ncclSuccess) RES = lostub_r; } while (0)
#ifndef NCCLCHECKNOWARN
#define NCCLCHECKNOWARN(call, FLAGS) do { ncclResult_t lostub_r; NOWARN(lostub_r = (call), FLAGS); if (lostub_r != ncclSuccess && lostub_r != ncclInProgress) return lostub_r; } while (0)
#endif
#ifndef NCCLCHECKGOTONOWARN
#define NCCLCHECKGOTONOWARN(call, RES, label, FLAGS) do { NOWARN(RES = (call), FLAGS); if (RES != ncclSuccess && RES != ncclInProgress) { goto label; } } while (0)
#endif
#define NCCLWAIT(call, cond, abortFlagPtr) do { ncclResult_t lostub_r = (call); if (lostub_r != ncclSuccess && lostub_r != ncclInProgress) return ncclInternalError; if (*(abortFlagPtr)) return ncclSystemError; } while (!(cond))
#define NCCLWAITGOTO(call, cond, abortFlagPtr, RES, label) do { RES = (call); if (RES != ncclSuccess && RES != ncclInProgress) goto label; if (*(abortFlagPtr)) { RES = ncclSystemError; goto label; } } while (!(cond))
#define NCCLCHECKTHREAD(a, args) do { if (((args)->ret = (a)) != ncclSuccess && (args)->ret != ncclInProgress) return args; } while (0)
#define CUDACHECKTHREAD(a) do { if ((a) != cudaSuccess) { args->ret = ncclUnhandledCudaError; return args; } } while (0)
#define STDTHREADCREATE(var, func, ...) do { try { (var) = std::thread(func, __VA_ARGS__); } catch (const std::exception& e) { return ncclSystemError; } } while (0)
#define STDTHREADCREATE_GOTO(var, func, RES, label, ...) do { try { (var) = std::thread(func, __VA_ARGS__); } catch (const std::exception& e) { RES = ncclSystemError; goto label; } } while (0)
#define NEW_NOTHROW(var, x) do { (var) = new (std::nothrow) x{}; if (!(var)) return ncclSystemError; } while (0)
#define NEW_NOTHROW_GOTO(var, x, RES, label) do { (var) = new (std::nothrow) x{}; if (!(var)) { RES = ncclSystemError; goto label; } } while (0)
