// Parse-only stand-in for Abseil: absl/flags/declare.h.
#pragma once
#include "flag.h"
