/* Parse-only: sigset_t. */
#pragma once
typedef struct { unsigned long words[16]; } sigset_t;
typedef sigset_t __sigset_t;
