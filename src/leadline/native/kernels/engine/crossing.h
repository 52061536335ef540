/** What of the messages between hosts crosses their links. */
#ifndef LEADLINE_CROSSING_H
#define LEADLINE_CROSSING_H

#include <stdbool.h>

/**
 * Obeys "crossing id=N share=N next=BYTES other=BYTES"; false: `line` is something else.
 *
 * Consecutive ranks share a host, `share` on each. The first rank of each host sends `next` bytes
 * to that of the next host, round about, and `other` bytes to that of each other host. All ranks
 * answer by a result without batches that says what their hosts' interfaces carried meanwhile.
 */
bool crossing_obey(const char *line);

#endif
