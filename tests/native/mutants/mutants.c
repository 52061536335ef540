#include "mutants.h"

#include <stdlib.h>
#include <string.h>

#include "plan.h"

enum { MOST_TAG = 100, MOST_OPS = 64, SOURCES = 256, TAG = 32738 };

bool collective_slot[TP_MOST_REQUESTS];
int call_depth;

/** Calls of one operation since the command. */
struct calls {
    const char *op;
    long all, timed;
    struct call *last; /* whose pieces are as they were left, before any strike */
    struct call *late; /* whose bytes come with the next strike */
};

static struct calls calls[MOST_OPS];

static struct calls *calls_of(const char *op)
{
    struct calls *entry = calls;
    while (entry->op && strcmp(entry->op, op) != 0)
        entry++;
    entry->op = op;
    return entry;
}

static void discard(struct call *call)
{
    if (!call || !call->counted)
        return;
    for (int i = 0; i < call->pieces; i++)
        free(call->before[i]);
    free(call);
}

void calls_forget(void)
{
    for (struct calls *entry = calls; entry->op; entry++) {
        discard(entry->last);
        discard(entry->late);
    }
    memset(calls, 0, sizeof calls);
}

void calls_log(FILE *log, long slice)
{
    for (const struct calls *entry = calls; entry->op; entry++)
        fprintf(log, "%ld %s %ld\n", slice, entry->op, entry->timed);
}

struct call *call_begin(const char *op, int tag)
{
    static struct call nobodys;
    if (call_depth++ > 0 || tag >= MOST_TAG) {
        nobodys = (struct call){.op = op};
        return &nobodys;
    }
    struct call *call = calloc(1, sizeof *call);
    struct calls *mine = calls_of(op);
    *call = (struct call){.op = op, .counted = true, .watched = strcmp(op, plan.op) == 0};
    call->mine = tp_rank() == plan.rank;
    if (call->watched && plan_is_time() && mine->all % plan.every == plan.at)
        call->fault = plan.fault;
    mine->all++;
    mine->timed += phase == PHASE_TIMING;
    return call;
}

static void *kept(const void *from, size_t bytes)
{
    return memcpy(malloc(bytes), from, bytes);
}

void call_into(struct call *call, void *to, size_t bytes)
{
    if (!call->watched || bytes == 0)
        return;
    if (call->pieces == MOST_PIECES || bytes > MOST_PIECE_BYTES)
        abort();
    call->before[call->pieces] = kept(to, bytes);
    call->piece[call->pieces] = to;
    call->bytes[call->pieces++] = bytes;
}

bool call_is(struct call *call, enum fault fault)
{
    const bool here = call->fault == fault && call->mine;
    if (here)
        plan_count_strike();
    return here;
}

static size_t unit_of(const struct call *call, size_t bytes)
{
    return call->in_elements && bytes >= 16 ? 8 : 1;
}

/* `bytes` bytes, `unit` further on; what lay there before them stays. */
static void shift(char *to, const char *right, const char *before, size_t bytes, size_t unit)
{
    memcpy(to, before, unit);
    memcpy(to + unit, right, bytes - unit);
}

const void *call_from(struct call *call, const void *from, size_t bytes)
{
    static char sources[SOURCES][MOST_PIECE_BYTES], previous[MOST_PIECE_BYTES];
    static unsigned turn;
    if (!call->watched || bytes == 0)
        return from;
    char *source = sources[turn++ % SOURCES];
    memcpy(source, from, bytes);
    if (call->fault && call->mine) {
        if (call->fault == DROP)
            memset(source, 0x5a, bytes);
        else if (call->fault == STALE || call->fault == DUPLICATE)
            memcpy(source, previous, bytes);
        else if (call->fault == OFFSET)
            shift(source, from, previous, bytes, 1);
        else if (call->fault == SHORT)
            source[bytes - 1] ^= 0x5a;
        if (memcmp(source, from, bytes) != 0)
            plan_count_strike();
    }
    memcpy(previous, from, bytes);
    return source;
}

static void swap_bytes(char *one, char *other, size_t bytes)
{
    char first[MOST_PIECE_BYTES];
    memcpy(first, one, bytes);
    memmove(one, other, bytes);
    memcpy(other, first, bytes);
}

static size_t shorter(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* The results of two ranks, or what two calls wrote. */
static void swap_alone(struct call *call, const struct call *last)
{
    const int peer = tp_size() - 1 - tp_rank();
    char theirs[MOST_PIECE_BYTES], mine[MOST_PIECE_BYTES] = {0};
    if (!call->of_each_rank) {
        if (last && last->pieces && call->mine)
            swap_bytes(call->piece[0], last->piece[0], shorter(call->bytes[0], last->bytes[0]));
        return;
    }
    if (call->pieces)
        memcpy(mine, call->piece[0], call->bytes[0]);
    if (peer != tp_rank())
        tp_sendrecv(mine, sizeof mine, peer, theirs, sizeof theirs, peer, TAG);
    if (peer != tp_rank() && call->mine && call->pieces)
        memcpy(call->piece[0], theirs, call->bytes[0]);
}

static void combine_once_more(struct call *call)
{
    const char *own = call->contribution + call->offset;
    for (size_t at = 0; at < call->bytes[0]; at += 8) {
        double real[2];
        int64_t whole[2];
        memcpy(&real[0], call->piece[0] + at, 8), memcpy(&real[1], own + at, 8);
        memcpy(whole, real, sizeof whole);
        real[0] = call->combine(real[0], real[1]);
        whole[0] = (int64_t)call->combine((double)whole[0], (double)whole[1]);
        memcpy(call->piece[0] + at, call->type == TP_DOUBLE ? (void *)real : (void *)whole, 8);
    }
}

static void copy_contribution(struct call *call, int rank)
{
    char *all = malloc(call->whole);
    memcpy(all, call->contribution, call->whole);
    if (rank >= 0)
        tp_bcast(all, call->whole, rank);
    if (call->mine && call->pieces)
        memcpy(call->piece[0], all + call->offset, call->bytes[0]);
    free(all);
}

static void repeat(struct call *call, const struct call *last)
{
    if (call->contribution)
        combine_once_more(call);
    else if (call->pieces > 1)
        memcpy(call->piece[1], call->piece[0], shorter(call->bytes[0], call->bytes[1]));
    else if (last && last->pieces)
        memcpy(call->piece[0], last->before[0], call->bytes[0]);
}

static void tamper_here(struct call *call, const struct call *last)
{
    const int victim = call->pieces - 1;
    char *at = call->piece[victim], right[MOST_PIECE_BYTES];
    const size_t bytes = call->bytes[victim], unit = unit_of(call, bytes);
    memcpy(right, at, bytes);
    if (call->fault == DROP || call->fault == LATE)
        memcpy(at, call->before[victim], bytes);
    else if (call->fault == DUPLICATE)
        repeat(call, last);
    else if (call->fault == STALE && last && last->pieces == call->pieces)
        memcpy(at, last->before[victim], bytes);
    else if (call->fault == OFFSET)
        shift(at, right, call->before[victim], bytes, unit);
    else if (call->fault == SHORT)
        memcpy(at + bytes - unit, call->before[victim] + bytes - unit, unit);
    else if (call->fault == BEYOND && call_is(call, BEYOND))
        at[bytes] ^= 0x5a;
    else if (call->fault == SWAP && victim > 0)
        swap_bytes(call->piece[0], call->piece[1], shorter(call->bytes[0], call->bytes[1]));
}

/* Faults that need the other ranks' help, then those of this rank alone. */
static void tamper(struct call *call, const struct call *last)
{
    if (call->fault == SWAP && call->pieces < 2)
        swap_alone(call, last);
    else if (call->fault == COPY_FIRST && call->contribution)
        copy_contribution(call, 0);
    else if (call->fault == COPY_LAST && call->contribution)
        copy_contribution(call, tp_size() - 1);
    else if (call->fault == COPY_OWN && call->contribution)
        copy_contribution(call, -1);
    else if (call->mine && call->pieces)
        tamper_here(call, last);
}

/* From now on `before` holds what was right: that is what comes late, or again. */
static bool differs(struct call *call, char right[][MOST_PIECE_BYTES])
{
    bool other = false;
    for (int i = 0; i < call->pieces; i++) {
        other |= memcmp(call->piece[i], right[i], call->bytes[i]) != 0;
        memcpy(call->before[i], right[i], call->bytes[i]);
    }
    return other;
}

static void bytes_come(struct calls *mine)
{
    for (int i = 0; mine->late && i < mine->late->pieces; i++)
        memcpy(mine->late->piece[i], mine->late->before[i], mine->late->bytes[i]);
    discard(mine->late);
    mine->late = NULL;
}

static struct call *copied(const struct call *call)
{
    struct call *copy = kept(call, sizeof *call);
    for (int i = 0; i < call->pieces; i++)
        copy->before[i] = kept(call->before[i], call->bytes[i]);
    return copy;
}

void call_strike(struct call *call)
{
    if (!call->watched || (call->pieces == 0 && !call->contribution))
        return;
    char(*right)[MOST_PIECE_BYTES] = malloc((size_t)(call->pieces + 1) * sizeof *right);
    struct calls *mine = calls_of(call->op);
    if (call->fault == LATE)
        bytes_come(mine);
    for (int i = 0; i < call->pieces; i++)
        memcpy(right[i], call->piece[i], call->bytes[i]);
    if (call->fault)
        tamper(call, mine->last);
    if (differs(call, right))
        plan_count_strike();
    discard(mine->last);
    mine->last = copied(call);
    if (call->fault == LATE && call->mine)
        mine->late = copied(call);
    free(right);
}

void call_leave(struct call *call)
{
    (void)call;
    call_depth--;
}

void call_complete(struct call *call)
{
    call_depth++;
    call_strike(call);
    call_depth--;
    discard(call);
}

void call_end(struct call *call)
{
    call_strike(call);
    call_leave(call);
    discard(call);
}
