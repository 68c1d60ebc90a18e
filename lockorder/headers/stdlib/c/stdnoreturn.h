/* Parse-only stand-in for <stdnoreturn.h>. */
#pragma once
#ifndef __cplusplus
#define noreturn _Noreturn
#endif
