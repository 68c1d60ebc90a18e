// Parse-only stand-in for rdma/fi_tagged.h.
#pragma once
#include "fabric.h"
