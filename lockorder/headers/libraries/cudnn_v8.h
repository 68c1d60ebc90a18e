// Parse-only stand-in for cuDNN's cudnn_v8.h.
#pragma once
#include "cudnn.h"
