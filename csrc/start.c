/* The shim's life: loaded, forked, unloaded.
 *
 * The destructor runs when the process exits (exit(3)), after the program's own
 * atexit handlers and before libc's. Locks taken later than that, in other
 * libraries' destructors, are not in the report.
 */
#include "shim.h"

#include <pthread.h>

__attribute__((constructor)) static void start(void)
{
    lo_resolve_all();
    lo_report_prepare();
    pthread_atfork(NULL, NULL, lo_counters_restart);
}

__attribute__((destructor)) static void stop(void)
{
    lo_report_write();
}
