/**
 * What an operation is that makes no sense over a backend: a string that says so, by which patterns
 * are left out, and a function that ends the rank, for nobody calls it.
 */
#ifndef LEADLINE_FALLBACK_ABSENT_H
#define LEADLINE_FALLBACK_ABSENT_H

#include "transport/transport.h"

/** Prints that `operation` is absent over this backend, and aborts. */
_Noreturn void tp_absent(const char *operation);

/** The string that goes with an operation, or with a group of them. */
#define ABSENT_ALGORITHM(name) const char tp_##name##_algorithm[] = "absent"

/** tp_NAME, whose parameters nobody looks at. */
#define ABSENT(result, name, parameters)                                                           \
    result tp_##name parameters                                                                    \
    {                                                                                              \
        tp_absent(#name);                                                                          \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
