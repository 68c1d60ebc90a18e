// Parse-only stand-in for tensorpipe/config.h.
#pragma once
#include "tensorpipe.h"
