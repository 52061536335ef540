#include "engine/placements.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/control.h"
#include "channel/words.h"

struct piece {
    int64_t id, number, ranks, first;
    const char *slots;
};

struct kept {
    int64_t number;
    int *rank_at, *vertex_of;
};

static struct {
    struct kept *placements;
    size_t count;
} store;

/* The placement that comes in pieces, or came last. */
static struct {
    int64_t id;
    bool open; /* not yet answered */
    int came;  /* vertices */
    struct kept placement;
} arriving = {.id = -1};

static bool set(struct piece *piece, const char *key, const char *text)
{
    const struct {
        const char *key;
        int64_t *value;
    } numbers[] = {
        {"id", &piece->id},
        {"number", &piece->number},
        {"ranks", &piece->ranks},
        {"first", &piece->first},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(key, numbers[i].key) == 0)
            return words_number(text, numbers[i].value);
    piece->slots = text;
    return strcmp(key, "slots") == 0;
}

static bool parse(char *rest, struct piece *piece)
{
    const char *command = words_next(&rest);
    if (!command || strcmp(command, "placement") != 0)
        return false;
    for (char *key; (key = words_next(&rest));) {
        const char *text = words_value(key);
        if (!text || !set(piece, key, text))
            return false;
    }
    return piece->slots != NULL;
}

static void forget(struct kept *placement)
{
    free(placement->rank_at);
    free(placement->vertex_of);
    *placement = (struct kept){0};
}

/* A command has one answer: the pieces that follow are passed over. */
static bool __attribute__((format(printf, 1, 2))) refuse(const char *format, ...)
{
    char why[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    control_say("refused id=%" PRId64 " rank=%d %s\n", arriving.id, tp_rank(), why);
    forget(&arriving.placement);
    arriving.open = false;
    return false;
}

static bool begin(const struct piece *piece)
{
    const int size = tp_size();
    struct placement known;
    struct kept *placement = &arriving.placement;
    placements_end();
    arriving.id = piece->id;
    arriving.open = true;
    arriving.came = 0;
    if (piece->ranks != size)
        return refuse("its ranks are %" PRId64 ", the job's %d", piece->ranks, size);
    if (placements_find(piece->number, &known))
        return refuse("there is a placement %" PRId64 " already", piece->number);
    placement->number = piece->number;
    placement->rank_at = malloc((size_t)size * sizeof *placement->rank_at);
    placement->vertex_of = malloc((size_t)size * sizeof *placement->vertex_of);
    if (!placement->rank_at || !placement->vertex_of)
        return refuse("no memory for its %d ranks", size);
    for (int rank = 0; rank < size; rank++)
        placement->vertex_of[rank] = -1;
    return true;
}

static bool place(int64_t slot)
{
    const int size = tp_size(), vertex = arriving.came;
    struct kept *placement = &arriving.placement;
    if (vertex == size)
        return refuse("it goes on after its %d ranks", size);
    if (slot >= size)
        return refuse("vertex %d is on slot %" PRId64 ", the last is %d", vertex, slot, size - 1);
    if (placement->vertex_of[slot] >= 0)
        return refuse("slot %" PRId64 " has vertices %d and %d", slot, placement->vertex_of[slot],
                      vertex);
    placement->rank_at[vertex] = (int)slot;
    placement->vertex_of[slot] = vertex;
    arriving.came++;
    return true;
}

static bool take_slots(const char *text)
{
    int64_t slot;
    do {
        if (!words_digits(&text, &slot))
            return refuse("no slot can be read at vertex %d", arriving.came);
        if (!place(slot))
            return false;
    } while (*text++ == ',');
    return text[-1] == '\0' || refuse("no slot can be read at vertex %d", arriving.came);
}

static bool take(const struct piece *piece)
{
    const struct kept *placement = &arriving.placement;
    if (piece->ranks != tp_size() || piece->number != placement->number)
        return refuse("a piece is of another placement: number %" PRId64 ", %" PRId64 " ranks",
                      piece->number, piece->ranks);
    if (piece->first != arriving.came)
        return refuse("a piece begins at vertex %" PRId64 ", %d came before", piece->first,
                      arriving.came);
    return take_slots(piece->slots);
}

static void keep(void)
{
    struct kept *grown = realloc(store.placements, (store.count + 1) * sizeof *grown);
    if (!grown) {
        refuse("no memory for another placement");
        return;
    }
    store.placements = grown;
    store.placements[store.count++] = arriving.placement;
    arriving.placement = (struct kept){0};
    arriving.open = false;
    control_say("placed id=%" PRId64 " rank=%d\n", arriving.id, tp_rank());
}

static void obey(const struct piece *piece)
{
    const bool open = piece->id == arriving.id ? arriving.open : begin(piece);
    if (open && take(piece) && arriving.came == tp_size())
        keep();
}

bool placements_obey(const char *line)
{
    struct piece piece = {0};
    char *copy = strdup(line);
    const bool read = copy && parse(copy, &piece);
    if (read)
        obey(&piece);
    free(copy);
    return read;
}

void placements_end(void)
{
    if (arriving.open)
        refuse("%d of its %d ranks came", arriving.came, tp_size());
}

bool placements_find(int64_t number, struct placement *placement)
{
    *placement = (struct placement){0};
    for (size_t i = 0; i < store.count; i++)
        if (store.placements[i].number == number)
            *placement = (struct placement){
                store.placements[i].rank_at,
                store.placements[i].vertex_of,
            };
    return number == 0 || placement->rank_at;
}
