// Parse-only stand-in for a header that CMake makes.
#pragma once
