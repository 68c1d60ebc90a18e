// Parse-only stand-in for PyTorch: c10/util/in_place.h.
#pragma once
#include <c10/util/Optional.h>
