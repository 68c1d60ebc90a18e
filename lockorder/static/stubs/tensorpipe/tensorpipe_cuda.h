// Parse-only stand-in for tensorpipe/tensorpipe_cuda.h.
#pragma once
#include <tensorpipe/channel/cuda_basic/factory.h>
#include <tensorpipe/channel/cuda_gdr/factory.h>
#include <tensorpipe/channel/cuda_ipc/factory.h>
#include <tensorpipe/channel/cuda_xth/factory.h>
#include <tensorpipe/common/cuda_buffer.h>
#include <tensorpipe/tensorpipe.h>
