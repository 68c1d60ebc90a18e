// Parse-only stand-in for cuDNN's cudnn_version.h.
#pragma once
#include "cudnn.h"
