#include "relay/relay.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "channel/control.h"
#include "channel/machine.h"
#include "channel/words.h"
#include "relay/admission.h"
#include "relay/answers.h"
#include "relay/connections.h"

struct relay {
    struct stream front;
    struct member *members;
    int count;
    struct awaited awaited;
    bool ending;          /* ranks were told to end */
    struct pollfd *lines; /* the front-end's, then the members' */
};

static void tell_all(const struct relay *relay, const char *line, size_t bytes)
{
    for (int i = 0; i < relay->count; i++)
        if (relay->members[i].stream.fd >= 0)
            stream_send(&relay->members[i].stream, line, bytes);
}

static void say_missing(const struct relay *relay)
{
    char *text = NULL;
    size_t bytes = 0;
    struct ranges ranges = {.to = open_memstream(&text, &bytes)};
    if (!ranges.to)
        exit(EXIT_FAILURE);
    for (int i = 0; i < relay->count; i++)
        if (answer_is_missing(&relay->members[i], &relay->awaited))
            ranges_add(&ranges, relay->members[i].rank);
    ranges_end(&ranges);
    fclose(ranges.to);
    control_say("missing ranks=%s\n", text);
    free(text);
}

static bool parse_await(const char *line, size_t bytes, struct awaited *awaited)
{
    int64_t id, below, reduce;
    if (!words_number_after(line, bytes, " id=", &id) ||
        !words_number_after(line, bytes, " below=", &below) ||
        !words_number_after(line, bytes, " reduce=", &reduce))
        return false;
    awaited->id = id;
    awaited->below = (int)below;
    awaited->reduce = reduce != 0;
    return true;
}

static bool begins(const char *line, size_t bytes, const char *word)
{
    return bytes >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

static void obey(struct relay *relay, const char *line, size_t bytes)
{
    if (begins(line, bytes, "missing\n")) {
        say_missing(relay);
        return;
    }
    if (begins(line, bytes, "await ") && parse_await(line, bytes, &relay->awaited))
        return;
    relay->ending |= begins(line, bytes, "end\n");
    tell_all(relay, line, bytes);
}

static void obey_all(struct relay *relay)
{
    size_t bytes;
    stream_fill(&relay->front, SIZE_MAX);
    if (relay->front.ended)
        exit(STATUS_HUNG_UP);
    while ((bytes = stream_line(&relay->front)) > 0) {
        obey(relay, relay->front.bytes, bytes);
        stream_drop(&relay->front, bytes);
    }
}

static void lose(struct relay *relay, struct member *member, const char *how)
{
    stream_close(&member->stream);
    member->line = member->answer = 0;
    if (!relay->ending)
        control_say("lost rank=%d how=%s\n", member->rank, how);
}

static void hear(struct relay *relay, struct member *member)
{
    if (!answer_taken(member, &relay->awaited))
        lose(relay, member, "astray");
    else if (member->stream.ended)
        lose(relay, member, "silent");
}

static bool all_answered(const struct relay *relay)
{
    for (int i = 0; i < relay->count; i++)
        if (answer_is_missing(&relay->members[i], &relay->awaited))
            return false;
    return relay->awaited.id > 0;
}

/* Who is to be heard: `events` of all members, those of one that is awaited also `and`. */
static int await(struct relay *relay, short events, short and, int timeout_ms)
{
    bool sleeping = false;
    relay->lines[0] = (struct pollfd){.fd = relay->front.fd, .events = POLLIN | POLLRDHUP};
    for (int i = 0; i < relay->count; i++) {
        const struct member *member = &relay->members[i];
        const bool its_turn = !sleeping && answer_is_missing(member, &relay->awaited);
        sleeping |= its_turn;
        relay->lines[1 + i] = (struct pollfd){
            .fd = member->stream.fd,
            .events = its_turn ? (short)(events | and) : events,
        };
    }
    return poll(relay->lines, 1 + (nfds_t)relay->count, timeout_ms);
}

static void hear_all(struct relay *relay)
{
    const short events = relay->awaited.id > 0 ? POLLIN | POLLRDHUP : POLLRDHUP;
    if (await(relay, events, 0, 0) <= 0)
        return;
    for (int i = 0; i < relay->count; i++)
        if (relay->lines[1 + i].revents)
            hear(relay, &relay->members[i]);
    if (all_answered(relay)) {
        answers_hand_on(relay->members, relay->count, &relay->awaited);
        relay->awaited = (struct awaited){0};
    }
    if (relay->lines[0].revents) /* last: who is missing is asked once all are heard */
        obey_all(relay);
}

static bool is_over(const struct relay *relay)
{
    for (int i = 0; i < relay->count; i++)
        if (relay->members[i].stream.fd >= 0)
            return false;
    return relay->ending;
}

/* The front-end hangs up on whom it ends, and a relay that it ends has a folder to remove. */
static void prepare_process(void)
{
    struct rlimit files;
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static const char *meeting_place(void)
{
    const char *prefix = getenv("LEADLINE_RELAY");
    if (!prefix) {
        fprintf(stderr,
                "leadline relay: not started by leadline, for there is no LEADLINE_RELAY\n");
        exit(EXIT_FAILURE);
    }
    return relay_path(prefix);
}

int relay_serve(const char *address, int ranks, int of)
{
    struct relay relay = {.count = ranks};
    prepare_process();
    const int listener = listener_open(meeting_place());
    relay.front.fd = control_reach(address);
    control_say("relay ranks=%d host=%s pid=%ld\n", ranks, machine_here()->host, (long)getpid());
    relay.members = admission_of(listener, relay.front.fd, ranks, of);
    relay.lines = calloc(1 + (size_t)ranks, sizeof *relay.lines);
    while (relay.lines && !is_over(&relay))
        if (await(&relay, POLLRDHUP, POLLIN, -1) > 0)
            hear_all(&relay);
    free(relay.members);
    free(relay.lines);
    stream_close(&relay.front);
    return EXIT_SUCCESS;
}
