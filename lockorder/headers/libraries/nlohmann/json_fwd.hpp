// Parse-only stand-in for nlohmann/json_fwd.hpp.
#pragma once
#include "json.hpp"
