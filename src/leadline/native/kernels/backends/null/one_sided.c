/** One-sided operations that move nothing; the block is real memory, since patterns write to it. */
#include <stdlib.h>

#include "transport/transport.h"

const char tp_put_algorithm[] = "native";
const char tp_get_algorithm[] = "native";
const char tp_put_flag_algorithm[] = "native";
const char tp_fetch_add_algorithm[] = "native";
const char tp_compare_swap_algorithm[] = "native";

void *tp_symmetric_block(size_t bytes)
{
    static void *block;
    static size_t room;
    if (bytes > room) {
        free(block);
        room = tp_whole_pages(bytes);
        block = aligned_alloc(tp_page_bytes(), room);
        room = block ? room : 0;
    }
    return block;
}

void tp_symmetric_sync(void)
{
}

void tp_put(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void tp_get(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void tp_quiet(void)
{
}

void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer)
{
    (void)to, (void)from, (void)bytes, (void)flag, (void)value, (void)peer;
}

void tp_wait_until(const uint64_t *flag, uint64_t value)
{
    (void)flag, (void)value;
}

uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    (void)word, (void)value, (void)peer;
    return 0;
}

uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    (void)word, (void)value, (void)peer;
    return expected;
}
