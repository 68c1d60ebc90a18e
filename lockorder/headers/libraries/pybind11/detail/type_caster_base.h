// Parse-only stand-in for pybind11/detail/type_caster_base.h.
#pragma once
#include "../cast.h"
