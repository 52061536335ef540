/**
 * What shared memory hasn't got, over what it has, so that every pattern can be run: datatypes,
 * packing, non-blocking collectives (complete when they have been started) and threads.
 */
#include "mutants.h"

#include <stdlib.h>
#include <string.h>

#include "complete.h"

const char tp_datatype_algorithm[] = "test";
const char tp_pack_algorithm[] = "test";
const char tp_ibarrier_algorithm[] = "test";
const char tp_ibcast_algorithm[] = "test";
const char tp_iallreduce_algorithm[] = "test";
const char tp_iallgather_algorithm[] = "test";
const char tp_ialltoall_algorithm[] = "test";
const char tp_threads_algorithm[] = "test";

struct tp_datatype {
    enum tp_form form;
    size_t elements;
};

struct packed packed_out, packed_in;

bool tp_threads_granted(void)
{
    return true;
}

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    struct tp_datatype *type = malloc(sizeof *type);
    *type = (struct tp_datatype){form, elements};
    return type;
}

void tp_datatype_free(struct tp_datatype *type)
{
    free(type);
}

static size_t element_bytes(const struct tp_datatype *type)
{
    return type->form == TP_STRIDED ? TP_STRIDE * sizeof(double) : sizeof(struct tp_particle);
}

size_t datatype_bytes(const struct tp_datatype *type)
{
    const size_t end =
        type->form == TP_STRIDED ? sizeof(double) : offsetof(struct tp_particle, symbol) + 4;
    return (type->elements - 1) * element_bytes(type) + end;
}

/* Copies payload between memory of `type` and `packed`; returns its length. */
static size_t move(const struct tp_datatype *type, char *memory, char *packed, bool out)
{
    static const struct field {
        size_t at, bytes;
    } strided[] = {{0, 8}, {0, 0}}, structure[] = {{offsetof(struct tp_particle, kind), 4},
                                                   {offsetof(struct tp_particle, charge), 8},
                                                   {offsetof(struct tp_particle, symbol), 4},
                                                   {0, 0}};
    const size_t span = element_bytes(type);
    size_t done = 0;
    for (size_t i = 0; i < type->elements; i++)
        for (const struct field *f = type->form == TP_STRIDED ? strided : structure; f->bytes;
             f++) {
            char *element = memory + i * span + f->at;
            memcpy(out ? packed + done : element, out ? element : packed + done, f->bytes);
            done += f->bytes;
        }
    return done;
}

void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag)
{
    char message[MOST_PIECE_BYTES];
    const size_t bytes = move(type, (char *)from, message, true);
    tp_send(message, bytes, peer, tag);
}

void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag)
{
    char message[MOST_PIECE_BYTES], kept[MOST_PIECE_BYTES];
    const size_t bytes = move(type, to, kept, true);
    tp_recv(message, bytes, peer, tag);
    move(type, to, message, false);
}

void tp_pack(const void *from, size_t bytes)
{
    memcpy(packed_out.at, from, bytes);
    packed_out.bytes = bytes;
}

void tp_send_packed(int peer, int tag)
{
    tp_send(packed_out.at, packed_out.bytes, peer, tag);
}

void tp_recv_packed(size_t bytes, int peer, int tag)
{
    tp_recv(packed_in.at, bytes, peer, tag);
}

void tp_unpack(void *to, size_t bytes)
{
    memcpy(to, packed_in.at, bytes);
}

void tp_ibarrier(int slot)
{
    collective_slot[slot] = true;
    tp_barrier();
}

void tp_ibcast(void *buffer, size_t bytes, int root, int slot)
{
    collective_slot[slot] = true;
    tp_bcast(buffer, bytes, root);
}

void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot)
{
    collective_slot[slot] = true;
    tp_allreduce(from, to, count, type, op);
}

void tp_iallgather(const void *from, void *to, size_t bytes, int slot)
{
    collective_slot[slot] = true;
    tp_allgather(from, to, bytes);
}

void tp_ialltoall(const void *from, void *to, size_t bytes, int slot)
{
    collective_slot[slot] = true;
    tp_alltoall(from, to, bytes);
}
