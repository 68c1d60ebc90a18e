// Parse-only stand-in for rdma/fi_cm.h.
#pragma once
#include "fabric.h"
