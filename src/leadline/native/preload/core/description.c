#include "core/description.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saying.h"

enum { MOST_WORDS = MAP_MOST_DIMS + 2, MOST_COMPLAINT = 256 };

/** A description while its lines are read. */
struct reading {
    struct description *made;
    const char *source; /**< "LEADLINE_MAP_MACHINE" or the file's path */
    int line;
    int words;
    char *word[MOST_WORDS];
    int64_t vertices; /**< so far, in a tree; of the torus; -1: no network yet */
    bool wrong;       /**< has been said */
};

__attribute__((format(printf, 2, 3))) static void complain(struct reading *reading,
                                                           const char *format, ...)
{
    char why[MOST_COMPLAINT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (!reading->wrong)
        warn("%s, line %d: %s; nodes are found at run time instead", reading->source, reading->line,
             why);
    reading->wrong = true;
}

/** The whole number of 0 or more in `word` up to one of `ends`; -1: there is none. */
static int64_t number(const char *word, const char *ends, const char **rest)
{
    char *end;
    errno = 0;
    const long long value = strtoll(word, &end, 10);
    if (end == word || errno || value < 0 || *word == '+' || !strchr(ends, *end))
        return -1;
    if (rest)
        *rest = *end ? end + 1 : end;
    return value;
}

static bool read_dims(struct reading *reading, const char *word)
{
    struct map_machine *network = &reading->made->network;
    reading->vertices = 1;
    for (network->ndims = 0; *word && network->ndims < MAP_MOST_DIMS; network->ndims++) {
        const int64_t length = number(word, "x", &word);
        if (length < 1 || __builtin_mul_overflow(reading->vertices, length, &reading->vertices))
            return false;
        reading->made->dims[network->ndims] = length;
    }
    return !*word && network->ndims > 0;
}

static bool read_periodic(struct reading *reading, const char *word)
{
    for (int axis = 0; axis < reading->made->network.ndims; axis++) {
        const int64_t flag = number(word, ",", &word);
        if (flag != 0 && flag != 1)
            return false;
        reading->made->periodic[axis] = (uint8_t)flag;
    }
    return !*word;
}

static void read_torus(struct reading *reading)
{
    char **word = reading->word;
    reading->made->network.kind = MAP_TORUS;
    if (reading->words != 4 || strcmp(word[2], "periodic") != 0)
        complain(reading, "a torus is \"torus 8x8x8 periodic 1,1,1\"");
    else if (!read_dims(reading, word[1]))
        complain(reading, "%s are no lengths of axes", word[1]);
    else if (!read_periodic(reading, word[3]))
        complain(reading, "%s doesn't say 0 or 1 of each axis of %s", word[3], word[1]);
}

static void read_tree(struct reading *reading)
{
    struct map_machine *network = &reading->made->network;
    const int64_t levels = reading->words == 2 ? number(reading->word[1], "", NULL) : -1;
    network->kind = MAP_TREE;
    reading->vertices = 0;
    if (levels < 1 || levels > MAP_MOST_DIMS)
        complain(reading, "a tree is \"tree LEVELS\", of 1 to %d levels", MAP_MOST_DIMS);
    else
        network->levels = (int32_t)levels;
}

static void read_network(struct reading *reading)
{
    if (reading->vertices >= 0)
        complain(reading, "the network was described already");
    else if (!strcmp(reading->word[0], "torus"))
        read_torus(reading);
    else
        read_tree(reading);
}

/** An array with room for one item more than `count`, which grows by half; NULL: no memory. */
static void *with_room(void *array, int64_t count, size_t size)
{
    const bool full = (count & (count - 1)) == 0; /* powers of two, and 0 */
    const int64_t room = count ? 2 * count : 1;
    return full ? realloc(array, (size_t)room * size) : array;
}

static void read_vertex(struct reading *reading)
{
    struct map_machine *network = &reading->made->network;
    const size_t row = (size_t)network->levels * sizeof *reading->made->ancestors;
    if (reading->vertices < 0 || network->kind != MAP_TREE) {
        complain(reading, "a vertex belongs after \"tree LEVELS\"");
        return;
    }
    if (reading->words != network->levels + 1) {
        complain(reading, "a vertex needs %d switches, here are %d", network->levels,
                 reading->words - 1);
        return;
    }
    int64_t *grown = with_room(reading->made->ancestors, reading->vertices, row);
    if (!grown) {
        complain(reading, "no memory");
        return;
    }
    reading->made->ancestors = grown;
    for (int level = 0; level < network->levels; level++) {
        const int64_t above = number(reading->word[level + 1], "", NULL);
        if (above < 0)
            complain(reading, "%s is no number of a switch", reading->word[level + 1]);
        grown[reading->vertices * network->levels + level] = above;
    }
    reading->vertices++;
}

static void read_seat(struct reading *reading, bool of_core)
{
    const int words = of_core ? 4 : 3;
    const char *last = reading->word[words - 1];
    struct seat_line seat = {.host = reading->word[1], .core = -1};
    if (reading->words != words) {
        complain(reading, "\"%s\" is wanted",
                 of_core ? "core NAME CORE VERTEX" : "host NAME VERTEX");
        return;
    }
    seat.vertex = number(last, "", NULL);
    if (of_core)
        seat.core = number(reading->word[2], "", NULL);
    if (of_core && seat.core < 0)
        complain(reading, "%s is no number of a core", reading->word[2]);
    else if (seat.vertex < 0 || seat.vertex >= reading->vertices)
        complain(reading, "vertex %s is none of the network's, of which there are %lld", last,
                 (long long)(reading->vertices < 0 ? 0 : reading->vertices));
    struct seat_line *grown = with_room(reading->made->seats, reading->made->count, sizeof *grown);
    if (!grown) {
        complain(reading, "no memory");
        return;
    }
    reading->made->seats = grown;
    grown[reading->made->count++] = seat;
}

static void read_words(struct reading *reading)
{
    const char *first = reading->word[0];
    if (reading->words > MOST_WORDS)
        complain(reading, "over %d words", MOST_WORDS);
    else if (!strcmp(first, "torus") || !strcmp(first, "tree"))
        read_network(reading);
    else if (!strcmp(first, "vertex"))
        read_vertex(reading);
    else if (!strcmp(first, "host") || !strcmp(first, "core"))
        read_seat(reading, *first == 'c');
    else
        complain(reading, "%.40s is none of torus, tree, vertex, host and core", first);
}

static void read_line(struct reading *reading, char *line)
{
    char *rest = NULL;
    reading->words = 0;
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (reading->words < MOST_WORDS)
            reading->word[reading->words] = word;
        reading->words++;
    }
    if (reading->line == 1 &&
        (reading->words != 2 || strcmp(reading->word[0], "leadline-machine") ||
         strcmp(reading->word[1], "1")))
        complain(reading, "a description begins with \"leadline-machine 1\"");
    else if (reading->line > 1 && reading->words > 0)
        read_words(reading);
}

static int by_host_and_core(const void *one, const void *other)
{
    const struct seat_line *a = one, *b = other;
    const int hosts = strcmp(a->host, b->host);
    return hosts ? hosts : (a->core > b->core) - (a->core < b->core);
}

/** What only the whole can tell. */
static void conclude(struct reading *reading)
{
    struct description *made = reading->made;
    if (reading->vertices < 1)
        complain(reading, "there is no network");
    if (made->count == 0)
        complain(reading, "there is no host");
    if (reading->wrong)
        return;
    made->network.dims = made->dims;
    made->network.periodic = made->periodic;
    made->network.vertices = reading->vertices;
    made->network.ancestors = made->ancestors;
    qsort(made->seats, (size_t)made->count, sizeof *made->seats, by_host_and_core);
    for (int64_t k = 1; k < made->count; k++)
        if (by_host_and_core(&made->seats[k - 1], &made->seats[k]) == 0)
            complain(reading, "host %s is described twice", made->seats[k].host);
}

static void read_text(struct reading *reading, char *text)
{
    for (char *line = text; line && !reading->wrong;) {
        char *end = strpbrk(line, "\n;");
        if (end)
            *end = '\0';
        reading->line++;
        read_line(reading, line);
        line = end ? end + 1 : NULL;
    }
    if (!reading->wrong)
        conclude(reading);
}

/** The contents of a file, to be freed; NULL with errno where it can't be read. */
static char *contents(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    const ssize_t length = getdelim(&text, &size, '\0', file);
    if (length < 0 && feof(file))
        text = strdup((free(text), ""));
    else if (length < 0)
        text = (free(text), NULL);
    fclose(file);
    return text;
}

bool description_read(const char *source, struct description *made)
{
    const bool in_file = *source == '@';
    struct reading reading = {.made = made, .vertices = -1};
    *made = (struct description){0};
    reading.source = in_file ? source + 1 : "LEADLINE_MAP_MACHINE";
    made->text = in_file ? contents(source + 1) : strdup(source);
    if (made->text)
        read_text(&reading, made->text);
    else
        warn("%s can't be read: %s; nodes are found at run time instead", reading.source,
             strerror(errno));
    if (!made->text || reading.wrong) {
        description_free(made);
        return false;
    }
    return true;
}

void description_free(struct description *made)
{
    free(made->ancestors);
    free(made->seats);
    free(made->text);
}

static int64_t vertex_of(const struct description *made, const char *host, int64_t core)
{
    const struct seat_line key = {.host = host, .core = core};
    const struct seat_line *found =
        bsearch(&key, made->seats, (size_t)made->count, sizeof key, by_host_and_core);
    return found ? found->vertex : -1;
}

int64_t description_vertex(const struct description *made, const char *host, int64_t core)
{
    char brief[256];
    int64_t vertex = vertex_of(made, host, core);
    if (vertex < 0)
        vertex = vertex_of(made, host, -1);
    if (vertex >= 0 || !strchr(host, '.'))
        return vertex;
    snprintf(brief, sizeof brief, "%.*s", (int)strcspn(host, "."), host);
    return description_vertex(made, brief, core);
}
