#include "switchboard.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "taps.h"

/** Returns false where one can't be made; tap_make has complained. */
static bool make_taps(struct switchboard *board)
{
    for (int32_t port = 0; port < board->stations.ports; port++) {
        char name[IFNAMSIZ];
        uint8_t address[ADDRESS_BYTES];
        snprintf(name, sizeof name, "%s%d", board->options.name, port + 1);
        stations_address(port, address);
        board->taps[port] = tap_make(name, board->options.mtu, address);
        if (board->taps[port] < 0)
            return false;
        stations_learn(&board->stations, port, address);
    }
    return true;
}

bool switchboard_make(const struct options *options, struct switchboard *board)
{
    memset(board, 0, sizeof *board);
    memset(board->taps, -1, sizeof board->taps);
    board->options = *options;
    board->stations.ports = options->form.ports;
    board->medium = medium_make(&options->form);
    if (board->medium && history_make(options->log_frames, &board->history))
        return make_taps(board);
    fprintf(stderr, "leadline switch: no memory for a log of %ld frames\n",
            (long)options->log_frames);
    return false;
}

void switchboard_free(struct switchboard *board)
{
    for (int32_t port = 0; port < board->stations.ports; port++)
        if (board->taps[port] >= 0)
            close(board->taps[port]);
    if (board->medium)
        medium_free(board->medium);
    history_free(&board->history);
}

bool switchboard_receive(struct switchboard *board, int32_t port)
{
    static uint8_t octets[MOST_FRAME];
    struct virtio_net_hdr undone;
    const int64_t arrival_ns = clock_now_ns(); /* copying it takes longer the longer it is */
    const ssize_t bytes = board->taps[port] < 0 ? 0 : tap_read(board->taps[port], &undone, octets);
    if (bytes < 0) {
        close(board->taps[port]);
        board->taps[port] = -1;
    }
    if (bytes < ETHERNET_HEADER)
        return false;
    struct frame *frame = frame_make(octets, (int32_t)bytes);
    if (!frame)
        return false;
    frame->undone = undone;
    frame->arrival_ns = arrival_ns;
    frame->from = port;
    stations_learn(&board->stations, port, octets + ADDRESS_BYTES);
    frame->to = stations_find(&board->stations, octets);
    vigil_prolong(&board->vigil, frame->arrival_ns);
    medium_offer(board->medium, frame);
    return true;
}

static void note(struct switchboard *board, const struct delivery *delivery, int64_t written_ns)
{
    const struct frame *frame = delivery->frame;
    const struct delivered delivered = {.arrival_ns = frame->arrival_ns,
                                        .start_ns = delivery->start_ns,
                                        .end_ns = delivery->end_ns,
                                        .due_ns = delivery->due_ns,
                                        .written_ns = written_ns,
                                        .bytes = frame->bytes,
                                        .from = frame->from,
                                        .to = delivery->to};
    history_add(&board->history, &delivered);
}

int switchboard_deliver(struct switchboard *board)
{
    struct delivery delivery;
    int delivered = 0;
    for (; medium_take(board->medium, clock_now_ns(), &delivery); delivered++) {
        const int64_t written_ns = clock_now_ns();
        if (board->taps[delivery.to] >= 0)
            tap_write(board->taps[delivery.to], delivery.frame);
        note(board, &delivery, written_ns);
        cores_mind(&board->cores, written_ns, delivery.frame->bytes);
        frame_release(delivery.frame);
    }
    return delivered;
}
