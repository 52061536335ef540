#include "patterns/payload.h"

#include <string.h>

enum { PERIOD = 1009 }; /* prime: no power-of-two shift of a message repeats its contents */

static uint64_t word_at(int owner, size_t offset)
{
    const uint64_t place = (uint64_t)offset / 8 + ((uint64_t)(unsigned)owner << 40) + 1;
    const uint64_t mixed = place * 0x9E3779B97F4A7C15u;
    return mixed ^ (mixed >> 29);
}

void payload_fill(char *to, size_t bytes, int owner, size_t offset)
{
    for (size_t done = 0; done < bytes; done += 8) {
        const uint64_t word = word_at(owner, offset + done);
        memcpy(to + done, &word, bytes - done < 8 ? bytes - done : 8);
    }
}

void payload_clear(char *to, size_t bytes, int owner, size_t offset)
{
    for (size_t done = 0; done < bytes; done += 8) {
        const uint64_t word = ~word_at(owner, offset + done);
        memcpy(to + done, &word, bytes - done < 8 ? bytes - done : 8);
    }
}

static bool first_wrong_byte(const char *at, size_t bytes, uint64_t word, size_t offset,
                             struct mismatch *mismatch)
{
    unsigned char expected[8];
    memcpy(expected, &word, 8);
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char seen = (unsigned char)at[i];
        if (seen != expected[i]) {
            *mismatch = (struct mismatch){offset + i, expected[i], seen};
            return false;
        }
    }
    return true;
}

bool payload_check(const char *at, size_t bytes, int owner, size_t offset,
                   struct mismatch *mismatch)
{
    for (size_t done = 0; done < bytes; done += 8) {
        const size_t part = bytes - done < 8 ? bytes - done : 8;
        if (!first_wrong_byte(at + done, part, word_at(owner, offset + done), done, mismatch))
            return false;
    }
    return true;
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
            *mismatch = (struct mismatch){done, byte, seen};
            return false;
        }
    }
    return true;
}

static int64_t element_at(int rank, size_t place)
{
    return (int64_t)(place % PERIOD) + rank;
}

static uint64_t element_bits(int64_t value, enum tp_type type)
{
    uint64_t bits;
    const double real = (double)value;
    memcpy(&bits, type == TP_DOUBLE ? (const void *)&real : (const void *)&value, 8);
    return bits;
}

void payload_fill_elements(char *to, size_t count, enum tp_type type, int rank, size_t offset)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = element_bits(element_at(rank, offset / 8 + i), type);
        memcpy(to + 8 * i, &bits, 8);
    }
}

static int64_t reduced_at(size_t place, enum tp_op op, int ranks)
{
    const int64_t largest = element_at(ranks - 1, place);
    const int64_t sum = ranks * element_at(0, place) + (int64_t)ranks * (ranks - 1) / 2;
    const int64_t all = element_at(0, place) != 0; /* the others' are above 0 */
    return op == TP_SUM ? sum : op == TP_MAX ? largest : all;
}

bool payload_check_elements(const char *at, size_t count, enum tp_type type, enum tp_op op,
                            int ranks, size_t offset, struct mismatch *mismatch)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t expected = element_bits(reduced_at(offset / 8 + i, op, ranks), type);
        uint64_t seen;
        memcpy(&seen, at + 8 * i, 8);
        if (seen != expected) {
            *mismatch = (struct mismatch){8 * i, expected, seen};
            return false;
        }
    }
    return true;
}
