/**
 * One-sided operations are what the library is made of.
 *
 * SHMEM orders its own operations among themselves. Where the contract also orders the caller's
 * loads and stores, a fence of C11 does; on processors that keep their order it costs nothing.
 */
#include <shmem.h>
#include <stdatomic.h>

#include "transport/transport.h"

const char tp_put_algorithm[] = "native";
const char tp_get_algorithm[] = "native";
const char tp_put_flag_algorithm[] = "put, fence, atomic set";
const char tp_fetch_add_algorithm[] = "native";
const char tp_compare_swap_algorithm[] = "native";

void *tp_symmetric_block(size_t bytes)
{
    static void *block;
    static size_t room;
    if (bytes > room) {
        shmem_free(block);
        room = tp_whole_pages(bytes);
        block = shmem_align(tp_page_bytes(), room);
        room = block ? room : 0;
    }
    return block;
}

void tp_symmetric_sync(void)
{
    shmem_quiet();
    atomic_thread_fence(memory_order_acq_rel);
}

void tp_put(void *to, const void *from, size_t bytes, int peer)
{
    shmem_putmem(to, from, bytes, peer);
    shmem_quiet();
}

void tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    shmem_putmem(to, from, bytes, peer);
}

void tp_get(void *to, const void *from, size_t bytes, int peer)
{
    shmem_getmem(to, from, bytes, peer);
    atomic_thread_fence(memory_order_release); /* it may be a plain copy, by this processor */
}

void tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    shmem_getmem_nbi(to, from, bytes, peer);
}

void tp_quiet(void)
{
    shmem_quiet();
    atomic_thread_fence(memory_order_release); /* as after a get */
}

void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer)
{
    shmem_putmem(to, from, bytes, peer);
    atomic_thread_fence(memory_order_release); /* the caller's loads: the peer may write there */
    shmem_fence();
    shmem_ulong_atomic_set(flag, value, peer);
}

void tp_wait_until(const uint64_t *flag, uint64_t value)
{
    shmem_ulong_wait_until((uint64_t *)(uintptr_t)flag, SHMEM_CMP_EQ, value);
    atomic_thread_fence(memory_order_acquire);
}

uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    return shmem_ulong_atomic_fetch_add(word, value, peer);
}

uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    return shmem_ulong_atomic_compare_swap(word, expected, value, peer);
}
