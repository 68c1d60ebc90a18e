// Parse-only stand-in for rdma/fi_endpoint.h.
#pragma once
#include "fabric.h"
