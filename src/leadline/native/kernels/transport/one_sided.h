/**
 * One-sided operations: a rank reads and writes memory of another, which takes no part in it.
 *
 * They reach symmetric memory alone: every rank has a block of the same layout, and an address in
 * the caller's own block names the same place in the block of `peer`, which may be the caller. The
 * other end of a copy may be any memory. A backend has all of them or none (fallback/absent.c).
 *
 *   order        puts aren't ordered, not even to one peer, but for what tp_quiet and tp_put_flag
 *                say;
 *   visibility   plain loads and stores in the own block meet the operations of others only across
 *                tp_symmetric_sync (after tp_wait_until loads need none): store, tp_symmetric_sync,
 *                message or barrier, tp_symmetric_sync, load;
 *   completion   a get is over, its loads of the peer's memory included, when it returns or
 *                tp_quiet does: what the caller tells the peer then, by a message, a flag or a
 *                barrier, can't be overtaken by it, and the peer may write there again;
 *   words        are 8 bytes, aligned, and changed by tp_put_flag and the atomics alone while
 *                several ranks use them. All operations on one word have one order, which every
 *                rank agrees on and which keeps the order of each rank's own. Atomics order no
 *                other memory.
 */
#ifndef LEADLINE_TRANSPORT_ONE_SIDED_H
#define LEADLINE_TRANSPORT_ONE_SIDED_H

#include <stddef.h>
#include <stdint.h>

/**
 * The job's block of symmetric memory: at least `bytes` bytes (at least 1) on every rank, aligned
 * to a page, contents undefined. There is one block: where it is too small it is given back, with
 * all addresses in it, for a larger one. Collective with equal arguments; NULL on every rank when
 * the memory can't be had. The first call may be the one that sets one-sided operations up.
 */
void *tp_symmetric_block(size_t bytes);

/**
 * Makes the own plain stores to the block visible to others, and theirs and their puts to it.
 * What the caller loaded and stored before it comes before the stores after it, and the loads after
 * it come after the loads before.
 */
void tp_symmetric_sync(void);

/**
 * Copies `bytes` bytes at `from` to `to` of `peer`; they are there when it returns, before anything
 * that the caller does then is seen by anybody.
 */
void tp_put(void *to, const void *from, size_t bytes, int peer);
extern const char tp_put_algorithm[];

/** Starts what tp_put does; `from` stays as it is, and the bytes are there, after tp_quiet. */
void tp_put_start(void *to, const void *from, size_t bytes, int peer);

/** Copies `bytes` bytes at `from` of `peer` to `to`; they are there when it returns. */
void tp_get(void *to, const void *from, size_t bytes, int peer);
extern const char tp_get_algorithm[];

/** Starts what tp_get does; the bytes are there after tp_quiet. */
void tp_get_start(void *to, const void *from, size_t bytes, int peer);

/**
 * Returns when all puts of this rank are in their targets' memory, and the gets it started done:
 * both come before whatever the caller does then.
 */
void tp_quiet(void);

/**
 * Puts `bytes` bytes like tp_put (none: the flag alone), then sets the word `flag` of the same peer
 * to `value`: who sees `value` there by tp_wait_until sees the bytes too. The flag comes after all
 * loads that the caller made before, of a message that it took in for example: who waits for the
 * flag may write there. Other puts it is ordered with by tp_quiet alone.
 */
void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                 int peer);
extern const char tp_put_flag_algorithm[];

/** Returns when the word `flag` in the own block is `value`; what the caller does then comes after.
 */
void tp_wait_until(const uint64_t *flag, uint64_t value);

/** Adds `value` to `word` of `peer` atomically; returns what was there before. */
uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer);
extern const char tp_fetch_add_algorithm[];

/** Sets `word` of `peer` to `value` if it is `expected`, atomically; returns what was there. */
uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer);
extern const char tp_compare_swap_algorithm[];

#endif
