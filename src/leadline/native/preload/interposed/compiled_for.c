#include "interposed/compiled_for.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(number) #number
#define AS_TEXT(number) WORDS(number)

/* Intel's header and those of others that grew from MPICH define its macros, too. */
#if defined(I_MPI_VERSION)
#define NAME "Intel(R) MPI Library"
#define VERSION I_MPI_VERSION
#elif defined(OMPI_MAJOR_VERSION)
#define NAME "Open MPI"
#define VERSION AS_TEXT(OMPI_MAJOR_VERSION) "." AS_TEXT(OMPI_MINOR_VERSION)
#elif defined(MPICH_VERSION)
#define NAME "MPICH"
#define VERSION MPICH_VERSION
#else
#define NAME ""
#define VERSION ""
#endif

const char *compiled_for(void)
{
    return NAME " " VERSION;
}

/** The first number in `text`; -1: none. */
static int major_of(const char *text)
{
    const char *digit = strpbrk(text, "0123456789");
    return digit ? atoi(digit) : -1;
}

bool is_compiled_for(const char *version)
{
    const size_t length = strlen(NAME);
    if (strncmp(version, NAME, length) != 0)
        return false;
    return length == 0 || major_of(version + length) == major_of(VERSION);
}
