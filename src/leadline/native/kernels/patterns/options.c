#include "patterns/options.h"

#include <string.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, 0})

const struct option options[OPTIONS] = {
    [OPTION_OP] = {"op", WORDS("sum", "max", "land")},
    [OPTION_TYPE] = {"type", WORDS("double", "int64")},
    [OPTION_ROOT] = {"root", WORDS("fixed", "rotating")},
    [OPTION_COUNTS] = {"counts", WORDS("even", "skewed")},
    [OPTION_OVERLAP] = {"overlap", WORDS("idle", "overlapped", "tested", "computing")},
    [OPTION_CONTENTION] = {"contention", WORDS("uncontended", "contended")},
    [OPTION_DEPTH] = {"depth", WORDS("1", "4", "16", "64", "256", "1024")},
};

int options_index(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

bool options_choose(int chosen[OPTIONS], const char *key, const char *word)
{
    for (int i = 0; i < OPTIONS; i++) {
        if (strcmp(options[i].key, key) != 0)
            continue;
        const int index = options_index(options[i].words, word);
        chosen[i] = index >= 0 ? index : chosen[i];
        return index >= 0;
    }
    return false;
}
