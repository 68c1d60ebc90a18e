// Parse-only stand-in for hiredis.h.
#pragma once
#include "hiredis/hiredis.h"
