// Parse-only stand-in for CUPTI's cupti_callbacks.h.
#pragma once
#include "cupti.h"
