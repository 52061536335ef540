/** Packing: MPI's own, into buffers that grow with the longest message. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/mpi/counts.h"
#include "transport/transport.h"

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
