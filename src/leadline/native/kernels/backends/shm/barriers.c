/** Three barriers on shared memory: one counter, a futex, dissemination flags. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/shm/segment.h"
#include "transport/transport.h"

const char tp_barrier_algorithm[] = "dissemination flags";
const char tp_barrier_counter_algorithm[] = "fetch-and-increment";
const char tp_barrier_futex_algorithm[] = "futex";
const char tp_barrier_dissemination_algorithm[] = "dissemination flags";

/* Everybody increments one counter; the last one resets it and starts the next generation, which
   can't begin before this rank has come: to have seen the present one needs no order. */
void tp_barrier_counter(void)
{
    struct segment *shared = job.segment;
    unsigned spins = 0;
    const uint64_t generation =
        atomic_load_explicit(&shared->generation.value, memory_order_relaxed);
    const uint64_t before =
        atomic_fetch_add_explicit(&shared->arrived.value, 1, memory_order_acq_rel);
    if (before + 1 == (uint64_t)job.ranks) {
        atomic_store_explicit(&shared->arrived.value, 0, memory_order_relaxed);
        atomic_store_explicit(&shared->generation.value, generation + 1, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&shared->generation.value, memory_order_acquire) == generation)
        shm_wait(&spins);
}

void tp_barrier_futex(void)
{
    struct segment *shared = job.segment;
    _Atomic uint32_t *word = &shared->futex_generation;
    const uint32_t generation = atomic_load_explicit(word, memory_order_relaxed);
    const uint64_t before =
        atomic_fetch_add_explicit(&shared->futex_arrived.value, 1, memory_order_acq_rel);
    if (before + 1 == (uint64_t)job.ranks) {
        atomic_store_explicit(&shared->futex_arrived.value, 0, memory_order_relaxed);
        atomic_store_explicit(word, generation + 1, memory_order_release);
        syscall(SYS_futex, word, FUTEX_WAKE, job.ranks, NULL, NULL, 0);
        return;
    }
    while (atomic_load_explicit(word, memory_order_acquire) == generation)
        syscall(SYS_futex, word, FUTEX_WAIT, generation, NULL, NULL, 0);
}

/* In round k each rank notifies the one 2^k further on and waits for the one 2^k behind. Epochs
   only grow, so that a fast neighbour's next notification does no harm. */
void tp_barrier_dissemination(void)
{
    static uint64_t epoch;
    epoch++;
    for (int step = 1, round = 0; step < job.ranks; step *= 2, round++) {
        unsigned spins = 0;
        const int next = (job.rank + step) % job.ranks;
        atomic_store_explicit(&job.lines[next].notified[round].value, epoch, memory_order_release);
        while (atomic_load_explicit(&job.lines[job.rank].notified[round].value,
                                    memory_order_acquire) < epoch)
            shm_wait(&spins);
    }
}

void tp_barrier(void)
{
    tp_barrier_dissemination();
}
