// Parse-only stand-in for rdma/fi_errno.h.
#pragma once
#include "fabric.h"
