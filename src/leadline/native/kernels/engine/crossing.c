#include "engine/crossing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "channel/control.h"
#include "channel/progress.h"
#include "channel/words.h"
#include "engine/surroundings.h"
#include "engine/sync.h"
#include "transport/transport.h"

struct crossing {
    int64_t id, share, next, other;
};

static bool set(struct crossing *crossing, const char *key, int64_t value)
{
    if (strcmp(key, "id") == 0)
        crossing->id = value;
    else if (strcmp(key, "share") == 0)
        crossing->share = value;
    else if (strcmp(key, "next") == 0)
        crossing->next = value;
    else if (strcmp(key, "other") == 0)
        crossing->other = value;
    else
        return false;
    return true;
}

static bool parse(char *rest, struct crossing *crossing)
{
    char *key = words_next(&rest);
    if (!key || strcmp(key, "crossing") != 0)
        return false;
    while ((key = words_next(&rest))) {
        const char *text = words_value(key);
        int64_t value;
        if (!text || !words_number(text, &value) || !set(crossing, key, value))
            return false;
    }
    return crossing->share > 0 && crossing->share <= tp_size() && crossing->next > 0;
}

/* In as many steps as there are other hosts each sends to one and receives from another. */
static void send_round(const struct crossing *crossing, const char *out, char *in)
{
    const int share = (int)crossing->share, hosts = (tp_size() + share - 1) / share;
    const int here = tp_rank() / share;
    for (int step = 1; step < hosts; step++) {
        const int to = (here + step) % hosts, from = (here - step + hosts) % hosts;
        const size_t bytes = (size_t)(step == 1 ? crossing->next : crossing->other);
        tp_sendrecv(out, bytes, to * share, in, bytes, from * share, TAG_CROSSING);
    }
}

/* Whoever has met the others has received all that was sent to it. */
static void cross(const struct crossing *crossing, const char *out, char *in,
                  struct surroundings *around)
{
    sync_meet(tp_size());
    surroundings_begin(around, true);
    if (tp_rank() % crossing->share == 0)
        send_round(crossing, out, in);
    sync_meet(tp_size());
    surroundings_end(around, true, crossing->id, 0);
    tp_rest(tp_size());
}

static void answer(const struct crossing *crossing, const struct surroundings *around)
{
    char *words = surroundings_words(around, true);
    control_say("result id=%" PRId64 " rank=%d repetitions=0 bytes=0 warm_up=0:0:0 contends=0 %s\n",
                crossing->id, tp_rank(), words);
    free(words);
}

static void obey(const struct crossing *crossing)
{
    static struct surroundings around;
    const int64_t most = crossing->next > crossing->other ? crossing->next : crossing->other;
    progress_enter((long)crossing->id, PHASE_VALIDATION);
    char *out = tp_allocate((size_t)most), *in = tp_allocate((size_t)most);
    if (out && in) {
        memset(out, tp_rank(), (size_t)most);
        cross(crossing, out, in, &around);
        answer(crossing, &around);
    } else {
        control_say("refused id=%" PRId64 " rank=%d no memory for messages between hosts\n",
                    crossing->id, tp_rank());
    }
    tp_release(in);
    tp_release(out);
    progress_enter((long)crossing->id, PHASE_IDLE);
}

bool crossing_obey(const char *line)
{
    struct crossing crossing = {0};
    char *copy = strdup(line);
    const bool read = copy && parse(copy, &crossing);
    free(copy);
    if (read)
        obey(&crossing);
    return read;
}
