#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "words.h"

enum { PIECE = 32 };

static void add_right(const char *name, int refused, struct answer *answer)
{
    text_add(&answer->text, "%s %s\n", name, refused ? strerror(refused) : "granted");
}

static void state(struct switchboard *board, char *rest, struct answer *answer)
{
    const struct medium_form *form = &board->options.form;
    (void)rest;
    text_add(&answer->text, "ok\n");
    text_add(&answer->text, "medium %s\n", form->sharing == MEDIUM_SHARED ? "shared" : "switched");
    text_add(&answer->text, "framing %s\n", form->framing == FRAMING_ATM ? "atm" : "ethernet");
    text_add(&answer->text, "rate %" PRId64 "\ndelay %" PRId64 "\n", form->rate_bits_per_s,
             form->delay_ns);
    text_add(&answer->text, "ahead %" PRId64 "\n", board->pace.ahead_ns);
    add_right("fifo", board->refused.fifo, answer);
    add_right("memory", board->refused.memory, answer);
    add_right("idle", board->vigil.refused, answer);
}

static void counters(struct switchboard *board, char *rest, struct answer *answer)
{
    (void)rest;
    text_add(&answer->text, "ok\n");
    for (int32_t port = 0; port < board->stations.ports; port++) {
        const struct traffic t = medium_traffic(board->medium, port);
        text_add(&answer->text,
                 "%d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                 " %" PRId64 "\n",
                 port + 1, t.sent_frames, t.sent_bytes, t.received_frames, t.received_bytes,
                 t.dropped_frames, t.sending_ns, t.receiving_ns);
    }
}

static void log_of_frames(struct switchboard *board, char *rest, struct answer *answer)
{
    const char *word = strtok_r(NULL, " ", &rest);
    int64_t wanted = INT64_MAX;
    if (word && !number_read(word, 0, INT64_MAX, &wanted)) {
        text_add(&answer->text, "error no number of frames %.99s\n", word);
        return;
    }
    const int64_t first = history_first(&board->history);
    answer->last = board->history.added;
    answer->next = wanted < answer->last - first ? answer->last - wanted : first;
    text_add(&answer->text, "ok\n");
}

static bool read_share(const char *word, double *share)
{
    char *end;
    *share = strtod(word, &end);
    return end != word && !*end && *share > 0 && *share <= 1;
}

/** Reads a "name=value" into `impairment`. Returns whether it is one that can be. */
static bool read_setting(const char *word, struct impairment *impairment)
{
    int64_t cut = 0;
    if (strncmp(word, "rate=", 5) == 0)
        return read_share(word + 5, &impairment->rate_share);
    if (strncmp(word, "delay=", 6) == 0)
        return number_read(word + 6, 0, MOST_DELAY_NS, &impairment->delay_ns);
    const bool read = strncmp(word, "cut=", 4) == 0 && number_read(word + 4, 0, 1, &cut);
    impairment->cut = cut != 0;
    return read;
}

static void impair(struct switchboard *board, char *rest, struct answer *answer)
{
    const char *word = strtok_r(NULL, " ", &rest);
    int64_t port;
    if (!word || !number_read(word, 1, board->stations.ports, &port)) {
        text_add(&answer->text, "error no port %.99s\n", word ? word : "");
        return;
    }
    struct impairment impairment = medium_impairment(board->medium, (int32_t)port - 1);
    while ((word = strtok_r(NULL, " ", &rest)))
        if (!read_setting(word, &impairment)) {
            text_add(&answer->text, "error %.99s\n", word);
            return;
        }
    medium_impair(board->medium, (int32_t)port - 1, impairment, clock_now_ns());
    text_add(&answer->text, "ok\n");
}

static void end(struct switchboard *board, char *rest, struct answer *answer)
{
    (void)rest;
    board->has_ended = true;
    text_add(&answer->text, "ok\n");
}

static const struct {
    const char *name;
    void (*obey)(struct switchboard *board, char *rest, struct answer *answer);
} COMMANDS[] = {
    {"state", state},   {"counters", counters}, {"log", log_of_frames},
    {"impair", impair}, {"end", end},
};

void commands_obey(struct switchboard *board, char *line, struct answer *answer)
{
    char *rest = NULL;
    const char *name = strtok_r(line, " ", &rest);
    answer->next = answer->last = 0;
    answer->is_whole = false;
    for (size_t i = 0; name && i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        if (strcmp(name, COMMANDS[i].name) == 0) {
            COMMANDS[i].obey(board, rest, answer);
            return;
        }
    text_add(&answer->text, "error no command %.99s\n", name ? name : "");
}

static void tell(const struct delivered *frame, struct text *text)
{
    text_add(text, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %d %d\n",
             frame->arrival_ns, frame->start_ns, frame->end_ns, frame->due_ns, frame->written_ns,
             frame->bytes, frame->from + 1, frame->to + 1);
}

void commands_go_on(const struct switchboard *board, struct answer *answer)
{
    const int64_t first = history_first(&board->history);
    if (answer->next < first)
        answer->next = first; /* what newer frames have taken the place of */
    for (int i = 0; i < PIECE && answer->next < answer->last; i++)
        tell(history_at(&board->history, answer->next++), &answer->text);
    if (answer->next >= answer->last) {
        text_add(&answer->text, "\n");
        answer->is_whole = true;
    }
}
