/** Whether messages between hosts cross their links, or take a shortcut through shared memory. */
#ifndef LEADLINE_SHORTCUT_H
#define LEADLINE_SHORTCUT_H

#include <stdbool.h>

/**
 * Obeys "shortcut id=N share=N next=BYTES other=BYTES"; false: `line` is something else.
 *
 * Consecutive ranks share a host, `share` on each. The first rank of each host sends `next` bytes
 * to that of the next host, round about, and `other` bytes to that of each other host. All ranks
 * answer by a result without batches that says what their hosts' interfaces carried meanwhile.
 */
bool shortcut_obey(const char *line);

#endif
