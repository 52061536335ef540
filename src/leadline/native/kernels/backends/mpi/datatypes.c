/** Derived datatypes, and packing: MPI's own. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/mpi/counts.h"
#include "transport/transport.h"

/* -- datatypes --------------------------------------------------------------------------------- */

const char tp_datatype_algorithm[] = "native";

struct tp_datatype {
    MPI_Datatype type;
    count_type count;
};

/* The datatype of all elements at once, as for a column of a matrix. */
static void make_strided(struct tp_datatype *made, count_type elements)
{
    LARGE(MPI_Type_vector)(elements, 1, TP_STRIDE, MPI_DOUBLE, &made->type);
    made->count = 1;
}

/* The datatype of one element, as long as the struct, of which a message has many. */
static void make_struct(struct tp_datatype *made, count_type elements)
{
    int lengths[] = {1, 1, sizeof((struct tp_particle *)0)->symbol};
    MPI_Aint places[] = {offsetof(struct tp_particle, kind), offsetof(struct tp_particle, charge),
                         offsetof(struct tp_particle, symbol)};
    MPI_Datatype fields[] = {MPI_INT32_T, MPI_DOUBLE, MPI_CHAR};
    MPI_Datatype packed;
    MPI_Type_create_struct(3, lengths, places, fields, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct tp_particle), &made->type);
    MPI_Type_free(&packed);
    made->count = elements;
}

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    struct tp_datatype *made = malloc(sizeof *made);
    if (!made || elements > MOST_COUNTED) {
        fprintf(stderr, "leadline kernel: no datatype of %zu elements over this MPI\n", elements);
        abort();
    }
    if (form == TP_STRIDED)
        make_strided(made, (count_type)elements);
    else
        make_struct(made, (count_type)elements);
    MPI_Type_commit(&made->type);
    return made;
}

void tp_datatype_free(struct tp_datatype *type)
{
    if (!type)
        return;
    MPI_Type_free(&type->type);
    free(type);
}

void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag)
{
    LARGE(MPI_Send)(from, type->count, type->type, peer, tag, MPI_COMM_WORLD);
}

void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag)
{
    LARGE(MPI_Recv)(to, type->count, type->type, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* -- packing ----------------------------------------------------------------------------------- */

/* Into buffers that grow with the longest message. */

const char tp_pack_algorithm[] = "native";

/* A packed message, and what it has room for. */
struct message {
    char *memory;
    count_type room;
    size_t payload_room;
};

static struct message packed, received;
static count_type packed_bytes;

static void make_room(struct message *message, size_t bytes)
{
    LARGE(MPI_Pack_size)((count_type)bytes, MPI_BYTE, MPI_COMM_WORLD, &message->room);
    free(message->memory);
    message->memory = message->room < 0 ? NULL : malloc((size_t)message->room + 1);
    message->payload_room = bytes;
    if (!message->memory) {
        fprintf(stderr, "leadline mpi: no buffer for a packed message of %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

static void make_sure_of_room(struct message *message, size_t bytes)
{
    if (!message->memory || bytes > message->payload_room)
        make_room(message, bytes);
}

void tp_pack(const void *from, size_t bytes)
{
    make_sure_of_room(&packed, bytes);
    packed_bytes = 0;
    LARGE(MPI_Pack)(from, (count_type)bytes, MPI_BYTE, packed.memory, packed.room, &packed_bytes,
                    MPI_COMM_WORLD);
}

void tp_send_packed(int peer, int tag)
{
    LARGE(MPI_Send)(packed.memory, packed_bytes, MPI_PACKED, peer, tag, MPI_COMM_WORLD);
}

void tp_recv_packed(size_t bytes, int peer, int tag)
{
    make_sure_of_room(&received, bytes);
    LARGE(MPI_Recv)(received.memory, received.room, MPI_PACKED, peer, tag, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE);
}

void tp_unpack(void *to, size_t bytes)
{
    count_type position = 0;
    LARGE(MPI_Unpack)(received.memory, received.room, &position, to, (count_type)bytes, MPI_BYTE,
                      MPI_COMM_WORLD);
}
