#include "problem/array.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20, MANY_PAGES = 4 };

/** In large pages where the system has them: of small ones each costs a fault of its own. */
static void *large_array_of(size_t bytes)
{
    void *array = aligned_alloc(LARGE_PAGE, (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
    if (array)
        (void)madvise(array, bytes, MADV_HUGEPAGE); /* a wish: without it the array is as good */
    return array;
}

void *array_of(int64_t count, size_t size)
{
    if (count < 0 || (uint64_t)count > (PTRDIFF_MAX - LARGE_PAGE) / size)
        return NULL;
    const size_t bytes = count ? (size_t)count * size : size;
    return bytes >= (size_t)MANY_PAGES * LARGE_PAGE ? large_array_of(bytes) : malloc(bytes);
}
