// Parse-only stand-in for tensorpipe/tensorpipe.h.
#pragma once
#define TENSORPIPE_HAS_SHM_TRANSPORT 1
#define TENSORPIPE_HAS_IBV_TRANSPORT 1
#define TENSORPIPE_HAS_CMA_CHANNEL 1
#define TENSORPIPE_SUPPORTS_CUDA 1
#define TENSORPIPE_HAS_CUDA_IPC_CHANNEL 1
#define TENSORPIPE_HAS_CUDA_GDR_CHANNEL 1
#include <tensorpipe/channel/basic/factory.h>
#include <tensorpipe/channel/cma/factory.h>
#include <tensorpipe/channel/context.h>
#include <tensorpipe/channel/error.h>
#include <tensorpipe/channel/mpt/factory.h>
#include <tensorpipe/channel/xth/factory.h>
#include <tensorpipe/common/buffer.h>
#include <tensorpipe/common/cpu_buffer.h>
#include <tensorpipe/common/error.h>
#include <tensorpipe/core/context.h>
#include <tensorpipe/core/error.h>
#include <tensorpipe/core/listener.h>
#include <tensorpipe/core/message.h>
#include <tensorpipe/core/pipe.h>
#include <tensorpipe/transport/context.h>
#include <tensorpipe/transport/error.h>
#include <tensorpipe/transport/ibv/factory.h>
#include <tensorpipe/transport/listener.h>
#include <tensorpipe/transport/shm/factory.h>
#include <tensorpipe/transport/uv/factory.h>
