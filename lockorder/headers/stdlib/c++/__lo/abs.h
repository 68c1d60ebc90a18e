// Parse-only stand-in for <__lo/abs.h>.
#pragma once
#include <stdlib.h>
namespace std { using ::abs; }
