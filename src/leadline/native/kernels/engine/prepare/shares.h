/** How the bytes of a vector operation are divided among the ranks. */
#ifndef LEADLINE_SHARES_H
#define LEADLINE_SHARES_H

#include "engine/params.h"

/**
 * Sets cell->shares: of params->size_bytes each under OPTION_COUNTS's "even"; under "skewed" in
 * proportion to the rank plus one, as many bytes in all. Skewed blocks begin at multiples of 8
 * bytes where the size is one. Returns false if there is no memory for it.
 */
bool shares_arrange(const struct params *params, struct cell *cell);

#endif
