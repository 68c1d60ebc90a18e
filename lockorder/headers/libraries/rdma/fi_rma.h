// Parse-only stand-in for rdma/fi_rma.h.
#pragma once
#include "fabric.h"
