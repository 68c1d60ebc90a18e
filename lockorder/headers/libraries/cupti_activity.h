// Parse-only stand-in for CUPTI's cupti_activity.h.
#pragma once
#include "cupti.h"
