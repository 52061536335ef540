/** The table of patterns. */
#ifndef LEADLINE_PATTERNS_TABLE_H
#define LEADLINE_PATTERNS_TABLE_H

#include "patterns/pattern.h"

/** All patterns, ended by NULL. */
extern const struct pattern *const patterns[];

/** The pattern called `name`, or NULL. */
const struct pattern *pattern_named(const char *name);

/** Prints, as JSON on stdout, what this executable can measure; needs no transport. */
void patterns_describe(void);

#endif
