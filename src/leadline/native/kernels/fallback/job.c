/**
 * What a backend need not have of a job. Each operation is an archive member of its own, as
 * absent.c explains.
 */
#include <stdlib.h>

#include "transport/transport.h"

/* Memory for messages from the C library: what every backend without memory of its own uses. */
#ifdef GROUP_allocate
const char tp_allocate_algorithm[] = "aligned_alloc";

void *tp_allocate(size_t bytes)
{
    return aligned_alloc(tp_page_bytes(), tp_whole_pages(bytes));
}

void tp_release(void *memory)
{
    free(memory);
}
#endif

/* Nothing to wait for. */
#ifdef GROUP_rest
void tp_rest(int participants)
{
    (void)participants;
}
#endif
