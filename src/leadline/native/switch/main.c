/**
 * A switch between hosts of one machine: gives each frame the time that it would take on a wire.
 *
 *   switch --control PATH --ports N --rate BITS_PER_S ...
 *
 * Makes a TAP device a port in its network namespace, t1, t2 ..., which others may then move into
 * the namespaces of hosts; all are gone when it ends. It is ready once it answers at PATH
 * (control.h).
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "control.h"
#include "options.h"
#include "switchboard.h"
#include "urgency.h"

/* -- the loop ---------------------------------------------------------------------------------- */

/* Frames in, frames out, in time: sleeps until shortly before a delivery, then polls. */

enum { LISTENER = MOST_PORTS, CLIENT, SIGNALS, MOST_EVENTS = 64 };
enum {
    GUARD_NS = 3000,     /**< before a delivery nothing else is begun, */
    PATIENCE_NS = 30000, /**< unless what comes has waited for so long */
    TRIES = 16
};

struct loop {
    struct switchboard *board;
    struct control *control;
    int epoll, signals;
    int64_t polled_ns;       /**< when it was last looked for what has come */
    int watched_client;      /**< which client, and */
    uint32_t watched_events; /**< for what epoll watches */
};

static bool watch(const struct loop *loop, int operation, int descriptor, uint32_t events,
                  uint32_t who)
{
    struct epoll_event event = {.events = events, .data.u32 = who};
    return epoll_ctl(loop->epoll, operation, descriptor, &event) == 0;
}

/** Opens what is waited with. */
static bool begin(struct loop *loop)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    loop->watched_client = -1;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    bool good = watch(loop, EPOLL_CTL_ADD, loop->signals, EPOLLIN, SIGNALS) &&
                watch(loop, EPOLL_CTL_ADD, loop->control->listener, EPOLLIN, LISTENER);
    for (int32_t port = 0; port < loop->board->stations.ports; port++)
        good = good && watch(loop, EPOLL_CTL_ADD, loop->board->taps[port], EPOLLIN, (uint32_t)port);
    if (!good)
        fprintf(stderr, "leadline switch: epoll: %s\n", strerror(errno));
    return good;
}

/** Lets epoll watch for what the client is to do next; while it is there others wait outside. */
static void mind_client(struct loop *loop)
{
    const struct control *control = loop->control;
    const uint32_t events = control->answers ? EPOLLOUT : EPOLLIN;
    if (control->client == loop->watched_client && events == loop->watched_events)
        return;
    const bool was_there = loop->watched_client >= 0, is_there = control->client >= 0;
    if (is_there)
        watch(loop, was_there ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, control->client, events, CLIENT);
    if (was_there != is_there)
        watch(loop, EPOLL_CTL_MOD, control->listener, is_there ? 0 : EPOLLIN, LISTENER);
    loop->watched_client = control->client;
    loop->watched_events = events;
}

static void respond(struct loop *loop, uint32_t who)
{
    if (who < MOST_PORTS)
        switchboard_receive(loop->board, (int32_t)who);
    else if (who == SIGNALS)
        loop->board->has_ended = true;
    else if (who == LISTENER)
        control_accept(loop->control);
    else
        control_serve(loop->control, loop->board);
    mind_client(loop);
}

/** Sleeps until something comes, but ends some time before `next_ns`, if that is worth while. */
static void sleep_before(struct loop *loop, int64_t next_ns)
{
    struct pollfd any = {.fd = loop->epoll, .events = POLLIN};
    const int64_t begun_ns = clock_now_ns();
    const int64_t asked_ns = pace_sleep_ns(&loop->board->pace, begun_ns, next_ns);
    if (asked_ns == 0)
        return;
    if (next_ns == INT64_MAX)
        cores_take_turns(&loop->board->cores, begun_ns);
    const int64_t vigil_ns = vigil_left_ns(&loop->board->vigil, begun_ns);
    const int64_t most_ns = asked_ns < vigil_ns ? asked_ns : vigil_ns;
    const struct timespec most = {.tv_sec = most_ns / NS_PER_S, .tv_nsec = most_ns % NS_PER_S};
    const bool whole = ppoll(&any, 1, most_ns == INT64_MAX ? NULL : &most, NULL) == 0;
    pace_slept(&loop->board->pace, begun_ns, whole ? most_ns : 0, clock_now_ns());
}

/** Responds to what has come, unless the next delivery is too near. */
static void poll_once(struct loop *loop, int64_t next_ns)
{
    struct epoll_event events[MOST_EVENTS];
    const int64_t now_ns = clock_now_ns();
    if (next_ns - now_ns < GUARD_NS && now_ns - loop->polled_ns < PATIENCE_NS)
        return;
    loop->polled_ns = now_ns;
    const int number = epoll_wait(loop->epoll, events, MOST_EVENTS, 0);
    for (int i = 0; i < number; i++) {
        respond(loop, events[i].data.u32);
        switchboard_deliver(loop->board);
    }
}

/**
 * Runs until a client says so, or SIGTERM or SIGINT comes. Returns false after a complaint on
 * standard error.
 */
static bool loop_run(struct switchboard *board, struct control *control)
{
    struct loop loop = {.board = board, .control = control};
    if (!begin(&loop))
        return false;
    board->pace = pace_begin(clock_now_ns());
    board->cores = cores_begin(clock_now_ns());
    while (!board->has_ended) {
        const int64_t next_ns = medium_next_ns(board->medium);
        sleep_before(&loop, next_ns);
        poll_once(&loop, next_ns);
        switchboard_deliver(board);
    }
    for (int i = 0; control->answers && i < TRIES; i++)
        control_serve(control, board);
    close(loop.epoll);
    close(loop.signals);
    return true;
}

/* -- the program ------------------------------------------------------------------------------- */

static struct switchboard board;

int main(int argc, char **argv)
{
    struct options options;
    struct control control;
    if (!options_read(argc, argv, &options))
        return 2;
    bool good = switchboard_make(&options, &board) && control_open(options.control, &control);
    if (good) {
        board.refused = urgency_ask();
        board.vigil = vigil_begin(clock_now_ns());
        good = loop_run(&board, &control);
        vigil_end(&board.vigil);
        control_close(&control);
    }
    switchboard_free(&board);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
