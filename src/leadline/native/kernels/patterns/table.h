/** The table of patterns. */
#ifndef LEADLINE_PATTERNS_TABLE_H
#define LEADLINE_PATTERNS_TABLE_H

#include "patterns/pattern.h"

/** All patterns, ended by NULL. */
extern const struct pattern *const patterns[];

/** The pattern called `name`, or NULL. */
const struct pattern *pattern_named(const char *name);

#endif
