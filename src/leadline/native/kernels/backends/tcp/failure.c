#include "backends/tcp/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int own_rank;

void tcp_fails_as(int rank)
{
    own_rank = rank;
}

_Noreturn void tcp_fail(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "leadline tcp, rank %d: ", own_rank);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}
