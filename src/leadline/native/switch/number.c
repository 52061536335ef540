#include "number.h"

#include <errno.h>
#include <stdlib.h>

bool number_read(const char *word, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    errno = 0;
    const int64_t read = strtoll(word, &end, 10);
    if (errno != 0 || end == word || *end || read < least || read > most)
        return false;
    *value = read;
    return true;
}
