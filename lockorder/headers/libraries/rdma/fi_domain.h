// Parse-only stand-in for rdma/fi_domain.h.
#pragma once
#include "fabric.h"
