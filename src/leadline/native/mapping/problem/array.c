#include "problem/array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mapping.h"

/* -- memory ------------------------------------------------------------------------------------ */

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

/* -- the sort ---------------------------------------------------------------------------------- */

enum { FEW = 64 }; /* fewer are not worth the counting */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = (64 + DIGIT_BITS - 1) / DIGIT_BITS };

struct columns {
    uint64_t *keys;
    int32_t *values;
};

static int digit_of(uint64_t key, int pass)
{
    return (int)(key >> (pass * DIGIT_BITS)) & (DIGITS - 1);
}

/** The bits in which not all keys are alike. */
static uint64_t differing_bits(const uint64_t *keys, int64_t count)
{
    uint64_t bits = 0;
    for (int64_t i = 1; i < count; i++)
        bits |= keys[i] ^ keys[0];
    return bits;
}

/** Moves `from` to `to` in the order of one digit. */
static void sort_by_digit(struct columns from, struct columns to, int64_t count, int pass)
{
    int64_t places[DIGITS] = {0};
    for (int64_t i = 0; i < count; i++)
        places[digit_of(from.keys[i], pass)]++;
    int64_t before = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        const int64_t these = places[digit];
        places[digit] = before;
        before += these;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t place = places[digit_of(from.keys[i], pass)]++;
        to.keys[place] = from.keys[i];
        to.values[place] = from.values[i];
    }
}

static void sort_with(struct columns given, struct columns spare, int64_t count)
{
    struct columns from = given, to = spare;
    const uint64_t bits = differing_bits(given.keys, count);
    for (int pass = 0; pass < PASSES; pass++) {
        if (digit_of(bits, pass) == 0)
            continue;
        sort_by_digit(from, to, count, pass);
        const struct columns sorted = to;
        to = from;
        from = sorted;
    }
    if (from.keys != given.keys) {
        memcpy(given.keys, from.keys, (size_t)count * sizeof *from.keys);
        memcpy(given.values, from.values, (size_t)count * sizeof *from.values);
    }
}

static void sort_by_insertion(uint64_t *keys, int32_t *values, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        const int32_t value = values[i];
        int64_t place = i;
        for (; place > 0 && keys[place - 1] > key; place--) {
            keys[place] = keys[place - 1];
            values[place] = values[place - 1];
        }
        keys[place] = key;
        values[place] = value;
    }
}

int sort_by_key(uint64_t *keys, int32_t *values, int64_t count)
{
    if (count <= FEW) {
        sort_by_insertion(keys, values, count);
        return MAP_OK;
    }
    const struct columns spare = {array_of(count, sizeof *keys), array_of(count, sizeof *values)};
    const bool room = spare.keys && spare.values;
    if (room)
        sort_with((struct columns){keys, values}, spare, count);
    free(spare.keys);
    free(spare.values);
    return room ? MAP_OK : MAP_NO_MEMORY;
}
