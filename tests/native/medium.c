/**
 * The medium of the switch in a time of its own: obeys lines from standard input.
 *
 *   form SHARED ATM PORTS RATE DELAY_NS QUEUE_BYTES    SHARED and ATM 0 or 1
 *   impair PORT SHARE DELAY_NS CUT                     when the last frame was given to it
 *   frame NS FROM TO BYTES                             TO 0: to all others
 *   traffic PORT
 *
 * Ports count from 1. Prints each delivery as it is made: from, to, start, end, due, and when the
 * medium said that there is something to do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "medium.h"

static struct medium *medium;
static int64_t last_ns; /* when the last frame was given to it */

static void show(int64_t now_ns)
{
    struct delivery d;
    while (medium_take(medium, now_ns, &d)) {
        printf("%d %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", d.frame->from + 1,
               d.to + 1, d.start_ns, d.end_ns, d.due_ns, now_ns);
        frame_release(d.frame);
    }
}

static void go_on_until(int64_t until_ns)
{
    for (int64_t next; medium && (next = medium_next_ns(medium)) < until_ns;)
        show(next);
}

static void make(const char *line)
{
    int shared, atm;
    struct medium_form form;
    if (sscanf(line, "form %d %d %" SCNd32 " %" SCNd64 " %" SCNd64 " %" SCNd64, &shared, &atm,
               &form.ports, &form.rate_bits_per_s, &form.delay_ns, &form.queue_bytes) != 6)
        abort();
    form.sharing = shared ? MEDIUM_SHARED : MEDIUM_SWITCHED;
    form.framing = atm ? FRAMING_ATM : FRAMING_ETHERNET;
    medium = medium_make(&form);
}

static void impair(const char *line)
{
    int32_t port;
    int cut;
    struct impairment impairment;
    if (sscanf(line, "impair %" SCNd32 " %lf %" SCNd64 " %d", &port, &impairment.rate_share,
               &impairment.delay_ns, &cut) != 4)
        abort();
    impairment.cut = cut;
    medium_impair(medium, port - 1, impairment, last_ns);
}

static void offer(const char *line)
{
    static uint8_t octets[65536];
    int64_t arrival_ns;
    int32_t from, to, bytes;
    if (sscanf(line, "frame %" SCNd64 " %" SCNd32 " %" SCNd32 " %" SCNd32, &arrival_ns, &from, &to,
               &bytes) != 4)
        abort();
    go_on_until(arrival_ns);
    last_ns = arrival_ns;
    struct frame *frame = frame_make(octets, bytes);
    frame->arrival_ns = arrival_ns;
    frame->from = from - 1;
    frame->to = to ? to - 1 : EVERYONE;
    medium_offer(medium, frame);
}

static void traffic(const char *line)
{
    const struct traffic t = medium_traffic(medium, atoi(line + strlen("traffic ")) - 1);
    printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
           t.sent_frames, t.sent_bytes, t.received_frames, t.received_bytes, t.dropped_frames,
           t.sending_ns, t.receiving_ns);
}

int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 't')
            go_on_until(INT64_MAX);
        (line[0] == 'f' && line[1] == 'o' ? make
         : line[0] == 'i'                 ? impair
         : line[0] == 't'                 ? traffic
                                          : offer)(line);
    }
    go_on_until(INT64_MAX);
    medium_free(medium);
    return 0;
}
