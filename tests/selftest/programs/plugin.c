/* A library that is loaded late, with locks of its own. */
#include <pthread.h>

void plugin_forwards(void);
void plugin_backwards(void);

pthread_mutex_t plugin_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;

void plugin_forwards(void)
{
    pthread_mutex_lock(&plugin_lock);
    pthread_mutex_lock(&other_lock);
    pthread_mutex_unlock(&other_lock);
    pthread_mutex_unlock(&plugin_lock);
}

void plugin_backwards(void)
{
    pthread_mutex_lock(&other_lock);
    pthread_mutex_lock(&plugin_lock);
    pthread_mutex_unlock(&plugin_lock);
    pthread_mutex_unlock(&other_lock);
}
