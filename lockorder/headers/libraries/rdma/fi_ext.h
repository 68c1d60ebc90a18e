// Parse-only stand-in for rdma/fi_ext.h.
#pragma once
#include "fabric.h"
