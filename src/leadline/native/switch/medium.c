#include "medium.h"

#include <stdlib.h>

#include "clock.h"
#include "line.h"

struct port {
    struct frame *first, *last; /**< wait for the line to the switch, or for the shared one */
    int64_t waiting_bytes;
    int64_t coming_bytes; /**< on their way to this port */
    struct line up, down;
    struct impairment impairment;
    struct traffic traffic;
};

struct medium {
    struct medium_form form;
    struct line shared;
    struct agenda agenda;
    struct port ports[];
};

struct medium *medium_make(const struct medium_form *form)
{
    const size_t ports = (size_t)form->ports * sizeof(struct port);
    struct medium *medium = calloc(1, sizeof *medium + ports);
    if (!medium)
        return NULL;
    medium->form = *form;
    for (int32_t i = 0; i < form->ports; i++)
        medium->ports[i].impairment.rate_share = 1;
    return medium;
}

static struct frame *pop(struct port *port)
{
    struct frame *frame = port->first;
    port->first = frame->next;
    port->waiting_bytes -= frame->bytes;
    return frame;
}

void medium_free(struct medium *medium)
{
    for (int32_t i = 0; i < medium->form.ports; i++)
        while (medium->ports[i].first)
            free(pop(&medium->ports[i]));
    while (medium->agenda.count > 0)
        frame_release(agenda_take(&medium->agenda).frame);
    agenda_free(&medium->agenda);
    free(medium);
}

static int64_t later(int64_t one_ns, int64_t other_ns)
{
    return one_ns > other_ns ? one_ns : other_ns;
}

/** Since when the port's first frame has waited for its turn. */
static int64_t ready_ns(const struct port *port)
{
    return later(port->first->arrival_ns, port->up.free_ns);
}

/** The port whose first frame goes next; NULL: no frame waits. */
static const struct port *next_sender(const struct medium *medium)
{
    const struct port *next = NULL;
    for (const struct port *port = medium->ports; port < medium->ports + medium->form.ports; port++)
        if (port->first && (!next || ready_ns(port) < ready_ns(next)))
            next = port;
    return next;
}

static int64_t start_ns(const struct medium *medium, const struct port *sender)
{
    const bool shared = medium->form.sharing == MEDIUM_SHARED;
    return shared ? later(ready_ns(sender), medium->shared.free_ns) : ready_ns(sender);
}

static int64_t rate_at(const struct medium *medium, double share)
{
    const double rate = (double)medium->form.rate_bits_per_s * share;
    return rate > 1 ? (int64_t)(rate + 0.5) : 1;
}

static bool is_for(const struct frame *frame, int32_t port)
{
    return frame->from != port && (frame->to == EVERYONE || frame->to == port);
}

/** The slowest of those that a frame concerns, who all hear each bit of a shared line. */
static double shared_share(const struct medium *medium, const struct frame *frame)
{
    double share = medium->ports[frame->from].impairment.rate_share;
    for (int32_t i = 0; i < medium->form.ports; i++)
        if (is_for(frame, i) && medium->ports[i].impairment.rate_share < share)
            share = medium->ports[i].impairment.rate_share;
    return share;
}

/** From the last bit to the delivery. */
static int64_t delay_ns(const struct medium *medium, const struct frame *frame, int32_t to)
{
    return medium->form.delay_ns + medium->ports[frame->from].impairment.delay_ns +
           medium->ports[to].impairment.delay_ns;
}

/** Whether as much is on its way to port `to` as its queue and, for the delay, its line hold. */
static bool is_full(const struct medium *medium, const struct frame *frame, int32_t to)
{
    const double delay_s = (double)delay_ns(medium, frame, to) / NS_PER_S;
    const double on_line = delay_s * (double)medium->form.rate_bits_per_s / 8;
    const double coming = (double)(medium->ports[to].coming_bytes + frame->bytes);
    return coming > (double)medium->form.queue_bytes + on_line;
}

/** Puts a delivery on the agenda, if there is room; the frame then has one holder more. */
static void deliver(struct medium *medium, struct frame *frame, int32_t to, struct passage sent,
                    struct passage passage)
{
    struct port *sender = &medium->ports[frame->from], *receiver = &medium->ports[to];
    const struct delivery delivery = {.frame = frame,
                                      .to = to,
                                      .start_ns = passage.start_ns,
                                      .end_ns = passage.end_ns,
                                      .due_ns = passage.last_ns + delay_ns(medium, frame, to),
                                      .sent = sent};
    if (!agenda_add(&medium->agenda, delivery)) {
        sender->traffic.dropped_frames++;
        return;
    }
    frame->holders++;
    receiver->coming_bytes += frame->bytes;
    receiver->traffic.receiving_ns += passage.end_ns - passage.start_ns;
}

/** The passage on the receiver's line of a frame that passes the sender's as `sent` says. */
static struct passage pass_down(const struct medium *medium, struct port *receiver,
                                struct passage sent, struct extent extent)
{
    const int64_t rate = rate_at(medium, receiver->impairment.rate_share);
    struct passage passage = line_take(&receiver->down, rate, sent.start_ns, extent);
    line_hold(&receiver->down, sent.end_ns); /* a bit can't leave the switch before it is there */
    passage.last_ns = later(passage.last_ns, sent.last_ns);
    passage.end_ns = later(passage.end_ns, sent.end_ns);
    return passage;
}

static struct passage send_switched(struct medium *medium, struct frame *frame,
                                    struct extent extent)
{
    struct port *sender = &medium->ports[frame->from];
    const int64_t rate = rate_at(medium, sender->impairment.rate_share);
    const struct passage sent = line_take(&sender->up, rate, frame->arrival_ns, extent);
    for (int32_t i = 0; i < medium->form.ports; i++) {
        struct port *receiver = &medium->ports[i];
        if (!is_for(frame, i))
            continue;
        if (is_full(medium, frame, i))
            sender->traffic.dropped_frames++;
        else
            deliver(medium, frame, i, sent, pass_down(medium, receiver, sent, extent));
    }
    return sent;
}

static struct passage send_shared(struct medium *medium, struct frame *frame, struct extent extent)
{
    struct port *sender = &medium->ports[frame->from];
    const int64_t rate = rate_at(medium, shared_share(medium, frame));
    const struct passage sent = line_take(&medium->shared, rate, ready_ns(sender), extent);
    line_hold(&sender->up, sent.end_ns);
    for (int32_t i = 0; i < medium->form.ports; i++)
        if (is_for(frame, i))
            deliver(medium, frame, i, sent, sent);
    return sent;
}

/** Sends the first frame of port number `from`. */
static void send_first(struct medium *medium, int32_t from)
{
    struct port *sender = &medium->ports[from];
    struct frame *frame = sender->first;
    const struct extent extent = framing_extent(medium->form.framing, frame->bytes);
    const bool shared = medium->form.sharing == MEDIUM_SHARED;
    const struct passage sent = (shared ? send_shared : send_switched)(medium, frame, extent);
    pop(sender);
    sender->traffic.sent_frames++;
    sender->traffic.sent_bytes += frame->bytes;
    sender->traffic.sending_ns += sent.end_ns - sent.start_ns;
    frame_release(frame);
}

/** Sends what begins by `now_ns`; what begins later may still be preceded by another port's. */
static void settle(struct medium *medium, int64_t now_ns)
{
    const struct port *sender;
    while ((sender = next_sender(medium)) && start_ns(medium, sender) <= now_ns)
        send_first(medium, (int32_t)(sender - medium->ports));
}

void medium_offer(struct medium *medium, struct frame *frame)
{
    struct port *port = &medium->ports[frame->from];
    settle(medium, frame->arrival_ns); /* what is on a line by now waits no more */
    const int64_t waiting = port->waiting_bytes + frame->bytes;
    if (waiting > medium->form.queue_bytes || port->impairment.cut) {
        port->traffic.dropped_frames++;
        frame_release(frame);
        return;
    }
    frame->next = NULL;
    if (port->first)
        port->last->next = frame;
    else
        port->first = frame;
    port->last = frame;
    port->waiting_bytes += frame->bytes;
}

/** No earlier is the port's first frame due. */
static int64_t least_due_ns(const struct medium *medium, const struct port *port)
{
    const struct extent extent = framing_extent(medium->form.framing, port->first->bytes);
    const int64_t rate = rate_at(medium, port->impairment.rate_share);
    const int64_t start = start_ns(medium, port);
    return line_preview(&port->up, rate, start, extent).last_ns + medium->form.delay_ns;
}

int64_t medium_next_ns(const struct medium *medium)
{
    int64_t next = medium->agenda.count > 0 ? medium->agenda.heap[0].due_ns : INT64_MAX;
    for (int32_t i = 0; i < medium->form.ports; i++) {
        const struct port *port = &medium->ports[i];
        const int64_t due = port->first ? least_due_ns(medium, port) : INT64_MAX;
        next = due < next ? due : next;
    }
    return next;
}

bool medium_take(struct medium *medium, int64_t now_ns, struct delivery *delivery)
{
    settle(medium, now_ns);
    while (medium->agenda.count > 0 && medium->agenda.heap[0].due_ns <= now_ns) {
        *delivery = agenda_take(&medium->agenda);
        const struct frame *frame = delivery->frame;
        struct port *receiver = &medium->ports[delivery->to];
        struct port *sender = &medium->ports[frame->from];
        receiver->coming_bytes -= frame->bytes;
        if (!receiver->impairment.cut && !sender->impairment.cut) {
            receiver->traffic.received_frames++;
            receiver->traffic.received_bytes += frame->bytes;
            return true;
        }
        sender->traffic.dropped_frames++;
        frame_release(delivery->frame);
    }
    return false;
}

/** What waits for the line to a port. */
struct waiting {
    struct medium *medium;
    int32_t port;
    int64_t now_ns;
    bool is_first;
};

/** Has a frame that waits pass anew, behind those before it, if it is one of them. */
static void pass_anew(struct delivery *delivery, void *what)
{
    struct waiting *waiting = what;
    struct medium *medium = waiting->medium;
    struct port *receiver = &medium->ports[waiting->port];
    if (delivery->to != waiting->port || delivery->start_ns <= waiting->now_ns)
        return;
    if (waiting->is_first)
        receiver->down = (struct line){.free_ns = delivery->start_ns};
    waiting->is_first = false;
    receiver->traffic.receiving_ns -= delivery->end_ns - delivery->start_ns;
    const struct extent extent = framing_extent(medium->form.framing, delivery->frame->bytes);
    const struct passage passage = pass_down(medium, receiver, delivery->sent, extent);
    receiver->traffic.receiving_ns += passage.end_ns - passage.start_ns;
    delivery->start_ns = passage.start_ns;
    delivery->end_ns = passage.end_ns;
    delivery->due_ns = passage.last_ns + delay_ns(medium, delivery->frame, delivery->to);
}

void medium_impair(struct medium *medium, int32_t port, struct impairment impairment,
                   int64_t now_ns)
{
    struct waiting waiting = {medium, port, now_ns, true};
    settle(medium, now_ns);
    medium->ports[port].impairment = impairment;
    if (medium->form.sharing == MEDIUM_SWITCHED)
        agenda_revise(&medium->agenda, pass_anew, &waiting);
}

struct impairment medium_impairment(const struct medium *medium, int32_t port)
{
    return medium->ports[port].impairment;
}

struct traffic medium_traffic(const struct medium *medium, int32_t port)
{
    return medium->ports[port].traffic;
}
