/** Memory for messages from the C library: what every backend without memory of its own uses. */
#include <stdlib.h>

#include "transport/transport.h"

enum { PAGE = 4096 };

const char tp_allocate_algorithm[] = "aligned_alloc";

void *tp_allocate(size_t bytes)
{
    return aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
}

void tp_release(void *memory)
{
    free(memory);
}
