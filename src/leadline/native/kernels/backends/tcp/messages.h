/** Messages over the connections of the mesh. */
#ifndef LEADLINE_TCP_MESSAGES_H
#define LEADLINE_TCP_MESSAGES_H

/** Makes room for what arrives from each peer. */
void messages_open(void);

#endif
