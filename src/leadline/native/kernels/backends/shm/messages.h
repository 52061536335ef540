/** The rings that carry messages between ranks. */
#ifndef LEADLINE_SHM_MESSAGES_H
#define LEADLINE_SHM_MESSAGES_H

/** Makes this rank's ends of all channels. */
void messages_open(void);

#endif
