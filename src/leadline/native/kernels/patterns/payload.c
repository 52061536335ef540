#include "patterns/payload.h"

#include <string.h>

enum { PLACES_APART = 1 << 20 };
const size_t payload_apart = ((size_t)PLACES_APART + 1) * 8;

/* One to one: no two numbers are mixed to the same. */
static uint64_t mixed(uint64_t number)
{
    const uint64_t product = number * 0x9E3779B97F4A7C15u;
    return product ^ (product >> 29);
}

static uint64_t word_at(int owner, size_t offset)
{
    return mixed((uint64_t)offset / 8 + ((uint64_t)(unsigned)owner << 40) + 1);
}

/* Owner's words, or with `flipped` bits others, the last one cut. */
static void put_words(char *to, size_t bytes, int owner, size_t offset, uint64_t flipped)
{
    const size_t whole = bytes / 8 * 8;
    for (size_t done = 0; done < whole; done += 8) {
        const uint64_t word = word_at(owner, offset + done) ^ flipped;
        memcpy(to + done, &word, 8);
    }
    const uint64_t last = word_at(owner, offset + whole) ^ flipped;
    memcpy(to + whole, &last, bytes - whole);
}

void payload_fill(char *to, size_t bytes, int owner, size_t offset)
{
    put_words(to, bytes, owner, offset, 0);
}

void payload_clear(char *to, size_t bytes, int owner, size_t offset)
{
    put_words(to, bytes, owner, offset, ~(uint64_t)0);
}

/* Else sets *mismatch to the first wrong byte. */
static bool all_right(const char *at, size_t bytes, uint64_t word, size_t offset,
                      struct mismatch *mismatch)
{
    unsigned char expected[8];
    memcpy(expected, &word, 8);
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char seen = (unsigned char)at[i];
        if (seen != expected[i]) {
            *mismatch = (struct mismatch){
                .offset_bytes = offset + i, .expected = expected[i], .seen = seen};
            return false;
        }
    }
    return true;
}

bool payload_check(const char *at, size_t bytes, int owner, size_t offset,
                   struct mismatch *mismatch)
{
    const size_t whole = bytes / 8 * 8;
    for (size_t done = 0; done < whole; done += 8) {
        const uint64_t word = word_at(owner, offset + done);
        uint64_t seen;
        memcpy(&seen, at + done, 8);
        if (seen != word)
            return all_right(at + done, 8, word, done, mismatch);
    }
    return all_right(at + whole, bytes - whole, word_at(owner, offset + whole), whole, mismatch);
}

void payload_fill_blocks(char *to, size_t bytes, struct owners owners, size_t offset)
{
    for (int i = 0; i < owners.blocks; i++)
        payload_fill(to + (size_t)i * bytes, bytes, owners.first + i * owners.step, offset);
}

void payload_clear_blocks(char *to, size_t bytes, struct owners owners, size_t offset)
{
    for (int i = 0; i < owners.blocks; i++)
        payload_clear(to + (size_t)i * bytes, bytes, owners.first + i * owners.step, offset);
}

bool payload_check_blocks(const char *at, size_t bytes, struct owners owners, size_t offset,
                          struct mismatch *mismatch)
{
    for (int i = 0; i < owners.blocks; i++) {
        const size_t start = (size_t)i * bytes;
        if (!payload_check(at + start, bytes, owners.first + i * owners.step, offset, mismatch)) {
            mismatch->offset_bytes += start;
            return false;
        }
    }
    return true;
}

size_t payload_span(enum tp_form form, size_t bytes)
{
    switch (form) {
    case TP_STRIDED:
        return bytes * TP_STRIDE;
    case TP_STRUCT:
        return bytes / TP_STRUCT_PAYLOAD * sizeof(struct tp_particle);
    default:
        return bytes;
    }
}

static bool within(size_t place, size_t start, size_t bytes)
{
    return place >= start && place < start + bytes;
}

static bool in_gap(enum tp_form form, size_t place)
{
    const size_t in_particle = place % sizeof(struct tp_particle);
    switch (form) {
    case TP_STRIDED:
        return place % (TP_STRIDE * sizeof(double)) >= sizeof(double);
    case TP_STRUCT:
        return !within(in_particle, offsetof(struct tp_particle, kind), 4) &&
               !within(in_particle, offsetof(struct tp_particle, charge), 8) &&
               !within(in_particle, offsetof(struct tp_particle, symbol), 4);
    default:
        return false;
    }
}

void payload_fill_form(char *to, size_t span, enum tp_form form, int owner, size_t offset)
{
    for (size_t done = 0; done < span; done += 8) {
        const uint64_t word = word_at(owner, offset + done);
        for (size_t i = 0; i < 8; i++)
            if (!in_gap(form, done + i))
                to[done + i] = ((const char *)&word)[i];
    }
}

bool payload_check_form(const char *at, size_t span, enum tp_form form, int owner, size_t offset,
                        struct mismatch *mismatch)
{
    for (size_t done = 0; done < span; done++) {
        const size_t start = done / 8 * 8;
        const uint64_t word = word_at(owner, offset + start);
        const uint64_t expected = in_gap(form, done) ? ~word : word;
        const unsigned char byte = ((const unsigned char *)&expected)[done - start];
        const unsigned char seen = (unsigned char)at[done];
        if (seen != byte) {
            *mismatch = (struct mismatch){.offset_bytes = done, .expected = byte, .seen = seen};
            return false;
        }
    }
    return true;
}

/* How far the ranks are turned at `place`: by one more from pair to pair of places, and likewise
   from pair to pair of repetitions. Numbers of two ranks aren't: the largest are each's in turn. */
static int64_t turned_by(size_t place, struct reduction reduction)
{
    const bool in_turn = reduction.ranks == 2 && reduction.op != TP_LAND;
    const uint32_t pair = (uint32_t)(place % PLACES_APART / 2);
    return in_turn ? 0 : pair % (uint32_t)reduction.ranks;
}

/* The same for all ranks, at least 1; sums of it over all ranks are exact in doubles. */
static int64_t base_at(size_t place)
{
    return 1 + (int64_t)(mixed(place) >> 44);
}

/* Numbers differ from rank to rank: in order of the ranks turned, at every second place backwards,
   so that who has the largest at one place has the least at the next. Truths are above 0, rank 0's
   1, so that it is its own conjunction; the last in order denies every second. */
static int64_t element_at(int rank, size_t place, struct reduction reduction)
{
    const int64_t last = reduction.ranks - 1;
    const int64_t turned = (rank + turned_by(place, reduction)) % reduction.ranks;
    const bool second = place % 2 == 1;
    if (reduction.op == TP_LAND)
        return second && turned == last ? 0 : rank + 1;
    return base_at(place) + (second ? last - turned : turned);
}

static uint64_t element_bits(int64_t value, enum tp_type type)
{
    uint64_t bits;
    const double real = (double)value;
    memcpy(&bits, type == TP_DOUBLE ? (const void *)&real : (const void *)&value, 8);
    return bits;
}

void payload_fill_elements(char *to, size_t count, struct reduction reduction, int rank,
                           size_t offset)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t element = element_at(rank, offset / 8 + i, reduction);
        const uint64_t bits = element_bits(element, reduction.type);
        memcpy(to + 8 * i, &bits, 8);
    }
}

/* The first `ranks` ranks are turned to `by`, `by` + 1, ...; `around` of them begin again at 0. */
static int64_t reduced_at(size_t place, struct reduction reduction, int64_t ranks)
{
    const int64_t all = reduction.ranks, by = turned_by(place, reduction);
    const int64_t around = by + ranks > all ? by + ranks - all : 0;
    const int64_t least = around > 0 ? 0 : by, most = around > 0 ? all - 1 : by + ranks - 1;
    const int64_t sum = ranks * by + ranks * (ranks - 1) / 2 - all * around;
    const bool second = place % 2 == 1;
    if (reduction.op == TP_LAND)
        return !second || most < all - 1;
    if (reduction.op == TP_MAX)
        return base_at(place) + (second ? all - 1 - least : most);
    return ranks * base_at(place) + (second ? ranks * (all - 1) - sum : sum);
}

bool payload_check_elements(const char *at, size_t count, struct reduction reduction, int ranks,
                            size_t offset, struct mismatch *mismatch)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t reduced = reduced_at(offset / 8 + i, reduction, ranks);
        const uint64_t expected = element_bits(reduced, reduction.type);
        uint64_t seen;
        memcpy(&seen, at + 8 * i, 8);
        if (seen != expected) {
            *mismatch =
                (struct mismatch){.offset_bytes = 8 * i, .expected = expected, .seen = seen};
            return false;
        }
    }
    return true;
}
