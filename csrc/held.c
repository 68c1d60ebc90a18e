/* The locks that a thread holds: for now only how many.
 *
 * A lock released by another thread than the one that took it leaves its taker
 * one too deep and finds its releaser at zero, so the depth stops there.
 */
#include "shim.h"

static LO_THREAD_LOCAL unsigned depth;

unsigned lo_held_push(void)
{
    return ++depth;
}

void lo_held_pop(void)
{
    if (depth > 0)
        depth--;
}
