#include "engine/choices.h"

#include <limits.h>
#include <string.h>

#include "channel/words.h"

struct choices choices_usual(void)
{
    struct choices choices = {0};
    for (int i = 0; i < OPTIONS; i++)
        choices.numbers[i] = options[i].usual;
    return choices;
}

static bool set_word(const struct option *option, const char *text, int *chosen)
{
    const int index = words_index(option->words, text);
    *chosen = index >= 0 ? index : *chosen;
    return index >= 0;
}

static bool set_number(const struct option *option, const char *text, int64_t *number)
{
    return words_number(text, number) && *number >= option->least && *number <= option->most;
}

/* "8x4x4" */
static bool set_dims(const struct option *option, const char *text, struct dims *dims)
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

static bool set(struct choices *choices, int i, const char *text)
{
    switch (options[i].kind) {
    case OPTION_WORD:
        return set_word(&options[i], text, &choices->chosen[i]);
    case OPTION_DIMS:
        return set_dims(&options[i], text, &choices->dims);
    default:
        return set_number(&options[i], text, &choices->numbers[i]);
    }
}

bool choices_set(struct choices *choices, const char *key, const char *text)
{
    for (int i = 0; i < OPTIONS; i++)
        if (strcmp(options[i].key, key) == 0)
            return set(choices, i, text);
    return false;
}

int choices_vertices(struct dims dims)
{
    int vertices = 1;
    for (int axis = 0; axis < dims.axes; axis++)
        vertices *= dims.lengths[axis];
    return vertices;
}
