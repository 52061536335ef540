/**
 * Atomic operations on words of other ranks: each rank on a word of its own at its neighbour, or
 * all ranks on one word of rank 0, where they contend.
 *
 * Counts kept outside the loops tell afterwards whether an operation was lost or done twice.
 */
#include "patterns/pattern.h"

enum { TAG = 4, TURNS = 10 };

static uint64_t done;     /* operations of this rank since the words were cleared */
static uint64_t swaps;    /* of them those that swapped */
static uint64_t expected; /* in the word, by this rank's last look */

static bool contended(const struct cell *cell)
{
    return cell->chosen[OPTION_CONTENTION] == 1;
}

static int owner_of(const struct cell *cell)
{
    return contended(cell) ? 0 : (cell->rank + 1) % cell->ranks;
}

static void fetch_add(const struct cell *cell, long first, long last)
{
    uint64_t *word = word_at(cell, 0);
    const int owner = owner_of(cell);
    for (long i = first; i < last; i++)
        tp_fetch_add(word, 1, owner);
    done += (uint64_t)(last - first);
}

static void compare_swap(const struct cell *cell, long first, long last)
{
    uint64_t *word = word_at(cell, 0), value = expected, swapped = 0;
    const int owner = owner_of(cell);
    for (long i = first; i < last; i++) {
        const uint64_t before = tp_compare_swap(word, value, value + 1, owner);
        swapped += before == value;
        value = before == value ? value + 1 : before;
    }
    done += (uint64_t)(last - first);
    swaps += swapped;
    expected = value;
}

static void fill(const struct cell *cell, long repetition)
{
    (void)cell, (void)repetition;
    done = swaps = expected = 0;
}

static bool is(uint64_t expected_value, uint64_t seen, struct mismatch *mismatch)
{
    *mismatch = (struct mismatch){.expected = expected_value, .seen = seen};
    return expected_value == seen;
}

/* Contending, all words but rank 0's are left alone. */
static bool left_alone(const struct cell *cell, struct mismatch *mismatch)
{
    return !contended(cell) || cell->rank == 0 || is(0, *word_at(cell, 0), mismatch);
}

/* Every rank has done as many operations as this one. */
static bool check_fetch_add(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const uint64_t ranks = contended(cell) ? (uint64_t)cell->ranks : 1;
    (void)repetition;
    if (contended(cell) && cell->rank != 0)
        return left_alone(cell, mismatch);
    return is(done * ranks, *word_at(cell, 0), mismatch);
}

/* Contending, how many of the others' swapped isn't known here: at least as many as this rank's own
   in all, and at most all; validate counts them. */
static bool check_compare_swap(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const uint64_t seen = *word_at(cell, 0), others = done * (uint64_t)(cell->ranks - 1);
    (void)repetition;
    if (!contended(cell))
        return is(done, seen, mismatch) && is(done, swaps, mismatch);
    if (cell->rank != 0)
        return left_alone(cell, mismatch);
    *mismatch = (struct mismatch){.expected = swaps, .seen = seen};
    return seen >= done && seen >= swaps && seen <= swaps + others;
}

/* What an operation that changes nothing finds in the word. */
static uint64_t found(const struct cell *cell, bool swapping)
{
    uint64_t *word = word_at(cell, 0);
    return swapping ? tp_compare_swap(word, UINT64_MAX, UINT64_MAX, owner_of(cell))
                    : tp_fetch_add(word, 0, owner_of(cell));
}

/* Of all ranks: operations that counted, by those who did them; words; what was found in them. */
enum { COUNTED, IN_WORDS, FOUND, SUMS };

/* All ranks' words together hold all that was done to them, as all ranks together count it, and
   operations say so. */
static bool validate(const struct pattern *self, const struct cell *cell, long repetition,
                     struct mismatch *mismatch)
{
    const bool swapping = self->run == compare_swap;
    const uint64_t lookers = contended(cell) ? (uint64_t)cell->ranks : 1;
    self->run(cell, repetition, repetition + TURNS);
    tp_symmetric_sync();
    tp_barrier();
    tp_symmetric_sync();
    uint64_t sums[SUMS] = {swapping ? swaps : done, *word_at(cell, 0), found(cell, swapping)};
    uint64_t theirs[SUMS];
    if (cell->rank != 0)
        tp_send(sums, sizeof sums, 0, TAG);
    for (int r = 1; cell->rank == 0 && r < cell->ranks; r++) {
        tp_recv(theirs, sizeof theirs, r, TAG);
        for (int i = 0; i < SUMS; i++)
            sums[i] += theirs[i];
    }
    if (cell->rank != 0)
        return left_alone(cell, mismatch);
    return is(sums[COUNTED], sums[IN_WORDS], mismatch) &&
           is(lookers * sums[IN_WORDS], sums[FOUND], mismatch);
}

const struct pattern pattern_fetch_add = {
    .name = "fetch_add",
    .summary = "atomic fetch-and-add on a word of another rank",
    .algorithm = tp_fetch_add_algorithm,
    .messages_per_repetition = 1,
    .symmetric = true,
    .options = 1u << OPTION_CONTENTION,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .contends = contended,
    .run = fetch_add,
    .fill = fill,
    .check = check_fetch_add,
    .validate = validate,
};

const struct pattern pattern_compare_swap = {
    .name = "compare_swap",
    .summary = "atomic compare-and-swap on a word of another rank",
    .algorithm = tp_compare_swap_algorithm,
    .messages_per_repetition = 1,
    .symmetric = true,
    .options = 1u << OPTION_CONTENTION,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .contends = contended,
    .run = compare_swap,
    .fill = fill,
    .check = check_compare_swap,
    .validate = validate,
};
