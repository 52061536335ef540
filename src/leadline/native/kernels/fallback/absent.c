#include "fallback/absent.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void tp_absent(const char *operation)
{
    fprintf(stderr, "leadline kernel: %s is absent over %s\n", operation, tp_backend);
    abort();
}
