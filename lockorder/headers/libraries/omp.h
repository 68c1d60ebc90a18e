// Parse-only stand-in for OpenMP's omp.h.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { void* _lk; } omp_lock_t; typedef struct { void* _lk; } omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t; typedef enum { omp_lock_hint_none = 0, omp_lock_hint_uncontended = 1, omp_lock_hint_contended = 2 } omp_lock_hint_t; typedef enum { omp_proc_bind_false, omp_proc_bind_true } omp_proc_bind_t;
void omp_init_lock(omp_lock_t* l); void omp_init_lock_with_hint(omp_lock_t* l, omp_lock_hint_t h); void omp_destroy_lock(omp_lock_t* l); void omp_set_lock(omp_lock_t* l); void omp_unset_lock(omp_lock_t* l); int omp_test_lock(omp_lock_t* l); void omp_init_nest_lock(omp_nest_lock_t* l); void omp_destroy_nest_lock(omp_nest_lock_t* l); void omp_set_nest_lock(omp_nest_lock_t* l); void omp_unset_nest_lock(omp_nest_lock_t* l); int omp_test_nest_lock(omp_nest_lock_t* l);
int omp_get_num_threads(void); void omp_set_num_threads(int n); int omp_get_max_threads(void); int omp_get_thread_num(void); int omp_get_num_procs(void); int omp_in_parallel(void); void omp_set_dynamic(int d); int omp_get_dynamic(void); void omp_set_nested(int n); int omp_get_nested(void); double omp_get_wtime(void); double omp_get_wtick(void); int omp_get_thread_limit(void); void omp_set_max_active_levels(int n); int omp_get_max_active_levels(void); int omp_get_level(void); int omp_get_active_level(void); int omp_get_ancestor_thread_num(int l); int omp_get_team_size(int l); int omp_in_final(void); void omp_set_schedule(omp_sched_t k, int c); void omp_get_schedule(omp_sched_t* k, int* c);
#ifdef __cplusplus
}
#endif
