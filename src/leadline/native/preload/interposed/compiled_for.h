/** The library whose compiler made this object. */
#ifndef LEADLINE_PRELOAD_COMPILED_FOR_H
#define LEADLINE_PRELOAD_COMPILED_FOR_H

#include <stdbool.h>

/** Its name and version, e.g. "MPICH 5.0.2". */
const char *compiled_for(void);

/** Whether what MPI_Get_library_version says, `version`, is that library, of the same major. */
bool is_compiled_for(const char *version);

#endif
