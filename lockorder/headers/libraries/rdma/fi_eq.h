// Parse-only stand-in for rdma/fi_eq.h.
#pragma once
#include "fabric.h"
