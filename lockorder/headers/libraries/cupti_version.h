// Parse-only stand-in for CUPTI's cupti_version.h.
#pragma once
#include "cupti.h"
