#include "engine/params.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/words.h"
#include "patterns/table.h"

/* -- choices ----------------------------------------------------------------------------------- */

/* The defaults of all options. */
static struct choices choices_usual(void)
{
    struct choices choices = {0};
    for (int i = 0; i < OPTIONS; i++)
        choices.numbers[i] = options[i].usual;
    return choices;
}

static bool choose_word(const struct option *option, const char *text, int *chosen)
{
    const int index = words_index(option->words, text);
    *chosen = index >= 0 ? index : *chosen;
    return index >= 0;
}

static bool choose_number(const struct option *option, const char *text, int64_t *number)
{
    return words_number(text, number) && *number >= option->least && *number <= option->most;
}

/* "8x4x4" */
static bool choose_dims(const struct option *option, const char *text, struct dims *dims)
{
    int64_t length, vertices = 1;
    *dims = (struct dims){0};
    do {
        if (dims->axes == MOST_AXES || !words_digits(&text, &length) || length < 1 ||
            length > INT_MAX / vertices)
            return false;
        vertices *= length;
        dims->lengths[dims->axes++] = (int)length;
    } while (*text++ == 'x');
    return text[-1] == '\0' && dims->axes >= option->least && dims->axes <= option->most;
}

static bool choose(struct choices *choices, int i, const char *text)
{
    switch (options[i].kind) {
    case OPTION_WORD:
        return choose_word(&options[i], text, &choices->chosen[i]);
    case OPTION_DIMS:
        return choose_dims(&options[i], text, &choices->dims);
    default:
        return choose_number(&options[i], text, &choices->numbers[i]);
    }
}

/* Sets what `key` is an option's and `text` a value of, within its bounds; false: it isn't. */
static bool choices_set(struct choices *choices, const char *key, const char *text)
{
    for (int i = 0; i < OPTIONS; i++)
        if (strcmp(options[i].key, key) == 0)
            return choose(choices, i, text);
    return false;
}

int choices_vertices(struct dims dims)
{
    int vertices = 1;
    for (int axis = 0; axis < dims.axes; axis++)
        vertices *= dims.lengths[axis];
    return vertices;
}

/* -- parameters -------------------------------------------------------------------------------- */

static bool set_word(struct params *params, const char *key, const char *text)
{
    static const char *const buffers[] = {"echo", "separate", "cold", NULL};
    static const char *const cadences[] = {"streaming", "isolated", NULL};
    int chosen = -1;
    if (strcmp(key, "pattern") == 0)
        return (params->pattern = pattern_named(text)) != NULL;
    if (strcmp(key, "buffers") == 0)
        params->buffers = (enum buffers)(chosen = words_index(buffers, text));
    else if (strcmp(key, "cadence") == 0)
        params->cadence = (enum cadence)(chosen = words_index(cadences, text));
    return chosen >= 0;
}

static bool set_number(struct params *params, const char *key, int64_t value)
{
    if (strcmp(key, "id") == 0)
        params->id = (long)value;
    else if (strcmp(key, "size") == 0)
        params->size_bytes = (size_t)value;
    else if (strcmp(key, "slice_ns") == 0)
        params->slice_ns = value;
    else if (strcmp(key, "repetitions") == 0)
        params->repetitions = (long)value;
    else if (strcmp(key, "batch_ns") == 0)
        params->batch_ns = value;
    else if (strcmp(key, "warm_up_ns") == 0)
        params->warm_up_ns = value;
    else if (strcmp(key, "max_batches") == 0)
        params->max_batches = (long)value;
    else if (strcmp(key, "cold_bytes") == 0)
        params->cold_bytes = (size_t)value;
    else if (strcmp(key, "links") == 0 && value <= 1)
        params->links = value == 1;
    else if (strcmp(key, "root") == 0 && value < tp_size())
        params->root = (int)value;
    else if (strcmp(key, "placement") == 0)
        params->placement = value;
    else
        return false;
    return true;
}

static bool set(struct params *params, const char *key, const char *text)
{
    int64_t value;
    return choices_set(&params->choices, key, text) ||
           (words_number(text, &value) ? set_number(params, key, value)
                                       : set_word(params, key, text));
}

/* Passes over the word "trace" at the beginning, if it is there. */
static bool passed_trace(char **rest)
{
    static const char word[] = "trace ";
    const bool there = strncmp(*rest, word, sizeof word - 1) == 0;
    *rest += there ? sizeof word - 1 : 0;
    return there;
}

static bool parse(char *rest, struct params *params, char *wrong, size_t room)
{
    params->traced = passed_trace(&rest);
    for (char *key; (key = words_next(&rest));) {
        const char *text = words_value(key);
        if (text && set(params, key, text))
            continue;
        snprintf(wrong, room, "%s%s%s", key, text ? "=" : "", text ? text : "");
        return false;
    }
    snprintf(wrong, room, "pattern=?");
    return params->pattern != NULL;
}

bool params_parse(const char *line, struct params *params, char *wrong, size_t room)
{
    char *copy = strdup(line);
    *params = (struct params){
        .slice_ns = 5000000,
        .batch_ns = 50000,
        .warm_up_ns = 20000000,
        .max_batches = 512,
        .choices = choices_usual(),
    };
    snprintf(wrong, room, "a line so long");
    const bool parsed = copy && parse(copy, params, wrong, room);
    free(copy);
    return parsed;
}
