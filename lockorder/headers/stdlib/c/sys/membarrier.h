/* Parse-only stand-in for <sys/membarrier.h>. */
#pragma once
