/* Parse-only stand-in for <xlocale.h>. */
#pragma once
#include <bits/locale_t.h>
