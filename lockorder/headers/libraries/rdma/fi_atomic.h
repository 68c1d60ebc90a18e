// Parse-only stand-in for rdma/fi_atomic.h.
#pragma once
#include "fabric.h"
