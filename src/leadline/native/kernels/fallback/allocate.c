/** Memory for messages from the C library: what every backend without memory of its own uses. */
#include <stdlib.h>

#include "transport/transport.h"

const char tp_allocate_algorithm[] = "aligned_alloc";

void *tp_allocate(size_t bytes)
{
    return aligned_alloc(tp_page_bytes(), tp_whole_pages(bytes));
}

void tp_release(void *memory)
{
    free(memory);
}
