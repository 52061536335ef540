/**
 * Reads the machine that its first argument describes and prints the vertex of
 * each further one, HOST/CORE; ends with status 1 where the description is
 * none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/description.h"

int main(int argc, char **argv)
{
    struct description read;
    errno = ERANGE; /* of something else, before */
    if (!description_read(argv[1], &read))
        return 1;
    for (int k = 2; k < argc; k++) {
        char *slash = strchr(argv[k], '/');
        *slash = '\0';
        printf("%lld\n", (long long)description_vertex(&read, argv[k], atoll(slash + 1)));
    }
    description_free(&read);
    return 0;
}
