// Parse-only stand-in for thrust/iterator/counting_iterator.h.
#pragma once
#include "../thrust_core.h"
