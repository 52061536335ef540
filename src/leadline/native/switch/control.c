#include "control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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
