#include "control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"

/* -- commands ---------------------------------------------------------------------------------- */

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

/** Obeys `line`, which it takes apart, and begins the answer. */
static void commands_obey(struct switchboard *board, char *line, struct answer *answer)
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

/** Adds the next piece to an answer that isn't whole. */
static void commands_go_on(const struct switchboard *board, struct answer *answer)
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

/* -- the socket -------------------------------------------------------------------------------- */

enum { BACKLOG = 16 };

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "leadline switch: %s: %s\n", path, what);
    return false;
}

bool control_open(const char *path, struct control *control)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *control = (struct control){.path = path, .listener = -1, .client = -1};
    if (strlen(path) >= sizeof address.sun_path)
        return complain(path, "the path is too long for a socket");
    strcpy(address.sun_path, path);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return complain(path, strerror(errno));
    const mode_t mask = umask(077);
    const bool bound = bind(listener, (struct sockaddr *)&address, sizeof address) == 0;
    umask(mask);
    if (!bound || listen(listener, BACKLOG) < 0) {
        complain(path, strerror(errno));
        close(listener);
        return false;
    }
    control->listener = listener;
    return true;
}

static void dismiss(struct control *control)
{
    if (control->client >= 0)
        close(control->client);
    text_free(&control->answer.text);
    control->client = -1;
    control->length = control->sent = 0;
    control->answers = false;
}

void control_close(struct control *control)
{
    dismiss(control);
    if (control->listener < 0)
        return;
    close(control->listener);
    unlink(control->path);
}

void control_accept(struct control *control)
{
    control->client = accept4(control->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/** Sends what there is of the answer and makes more of it. Returns whether it is through. */
static bool answer(struct control *control, const struct switchboard *board)
{
    struct answer *answer = &control->answer;
    if (control->sent == answer->text.length) {
        answer->text.length = control->sent = 0;
        if (answer->is_whole)
            return !(control->answers = false);
        commands_go_on(board, answer);
    }
    const ssize_t sent = send(control->client, answer->text.letters + control->sent,
                              answer->text.length - control->sent, MSG_NOSIGNAL);
    if (sent > 0)
        control->sent += (size_t)sent;
    else if (sent < 0 && errno != EAGAIN && errno != EINTR)
        dismiss(control);
    return false;
}

/** Reads up to the end of a line, which it replaces. Returns whether there is a whole one. */
static bool read_line(struct control *control)
{
    while (control->length < sizeof control->line) {
        char *letter = control->line + control->length;
        const ssize_t bytes = recv(control->client, letter, 1, 0);
        if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
            return false;
        if (bytes <= 0)
            break;
        if (*letter == '\n') {
            *letter = '\0';
            control->length = 0;
            return true;
        }
        control->length++;
    }
    dismiss(control); /* gone, or says more than a command has */
    return false;
}

void control_serve(struct control *control, struct switchboard *board)
{
    if (!control->answers && read_line(control)) {
        commands_obey(board, control->line, &control->answer);
        control->answers = true;
    }
    if (control->answers)
        answer(control, board);
}
