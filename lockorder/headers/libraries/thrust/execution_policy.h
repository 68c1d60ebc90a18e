// Parse-only stand-in for thrust/execution_policy.h.
#pragma once
#include "thrust_core.h"
