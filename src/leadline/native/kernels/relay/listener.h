/** The Unix socket where the ranks of this host find their relay. */
#ifndef LEADLINE_RELAY_LISTENER_H
#define LEADLINE_RELAY_LISTENER_H

/** Listens at `path`, in a folder that is made for it and that only its owner can enter; it is
    removed when the process exits, if not before. Exits with a message if it can't. */
int listener_open(const char *path);

/** Instead of a connection: errno says why there is none; another user's process came, and has been
    hung up on. */
enum { NOBODY = -1, OTHER_USER = -2 };

/** The next connection of a process of our own user, or one of these. Waits for nobody. */
int listener_accept(int listener);

/** Listens no more, and removes the folder. */
void listener_close(int listener);

#endif
