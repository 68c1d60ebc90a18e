/* Parse-only stand-in for <malloc.h>. */
#pragma once
#include <stdlib.h>
#include <stdio.h>
struct mallinfo { int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost; }; struct mallinfo2 { size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost; };
#define M_MMAP_THRESHOLD (-3)
#define M_TRIM_THRESHOLD (-1)
#define M_MMAP_MAX (-4)
#define M_ARENA_MAX (-8)
__BEGIN_DECLS
void* memalign(size_t, size_t); void* pvalloc(size_t); struct mallinfo mallinfo(void); struct mallinfo2 mallinfo2(void); int mallopt(int, int); int malloc_trim(size_t); size_t malloc_usable_size(void*); void malloc_stats(void); int malloc_info(int, FILE*);
__END_DECLS
