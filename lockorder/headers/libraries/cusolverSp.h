// Parse-only stand-in for cuSOLVER's cusolverSp.h.
#pragma once
#include "cusolver_common.h"
typedef struct cusolverSpContext* cusolverSpHandle_t;
