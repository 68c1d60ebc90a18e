/* Parse-only: the type locale_t. */
#pragma once
typedef struct __locale_struct* locale_t;
