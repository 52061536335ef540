#include "engine/params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "patterns/table.h"

static bool parse_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *value >= 0;
}

static bool set_word(struct params *params, const char *key, const char *text)
{
    static const char *const buffers[] = {"echo", "separate", "cold", NULL};
    static const char *const cadences[] = {"streaming", "isolated", NULL};
    int chosen = -1;
    if (strcmp(key, "pattern") == 0)
        return (params->pattern = pattern_named(text)) != NULL;
    if (strcmp(key, "buffers") == 0)
        params->buffers = (enum buffers)(chosen = options_index(buffers, text));
    else if (strcmp(key, "cadence") == 0)
        params->cadence = (enum cadence)(chosen = options_index(cadences, text));
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
    else if (strcmp(key, "max_batches") == 0)
        params->max_batches = (long)value;
    else if (strcmp(key, "cold_bytes") == 0)
        params->cold_bytes = (size_t)value;
    else if (strcmp(key, "root") == 0 && value < tp_size())
        params->root = (int)value;
    else
        return false;
    return true;
}

static bool set(struct params *params, char *word)
{
    char *text = strchr(word, '=');
    int64_t value;
    if (!text)
        return false;
    *text = '\0';
    const bool known = options_choose(params->chosen, word, text + 1) ||
                       (parse_number(text + 1, &value) ? set_number(params, word, value)
                                                       : set_word(params, word, text + 1));
    *text = '=';
    return known;
}

bool params_parse(const char *words, struct params *params, char *wrong, size_t room)
{
    char copy[1024];
    *params = (struct params){.slice_ns = 5000000, .batch_ns = 50000, .max_batches = 512};
    snprintf(wrong, room, "pattern=?");
    if (snprintf(copy, sizeof copy, "%s", words) >= (int)sizeof copy)
        return false;
    char *rest = NULL;
    for (char *word = strtok_r(copy, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        if (!set(params, word)) {
            snprintf(wrong, room, "%s", word);
            return false;
        }
    }
    return params->pattern != NULL;
}
