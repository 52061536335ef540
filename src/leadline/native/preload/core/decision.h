/** Decides, at rank 0, which process takes which rank. No MPI inside. */
#ifndef LEADLINE_PRELOAD_DECISION_H
#define LEADLINE_PRELOAD_DECISION_H

#include <stdbool.h>

#include "core/settings.h"
#include "mapping.h"

/**
 * The permutation that is best for `pattern` on `machine` by the settings' metric, to `permutation`
 * ([slots], the old rank of each new one), and says what is gained, or that nothing is. `call` is
 * what the program asked for, e.g. "MPI_Cart_create 4x4".
 * Returns whether ranks are to move; if not, `permutation` is the identity.
 */
bool decide(const char *call, const struct map_pattern *pattern, const struct map_machine *machine,
            const struct settings *settings, int64_t *permutation);

#endif
