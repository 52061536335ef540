/** Where this process runs: the host, the machine under it, and the clock that it reads. */
#ifndef LEADLINE_MACHINE_H
#define LEADLINE_MACHINE_H

enum { HOST_LENGTH = 256, MACHINE_LENGTH = HOST_LENGTH, CLOCK_LENGTH = MACHINE_LENGTH + 32 };

struct machine {
    char host[HOST_LENGTH];   /* what the host calls itself */
    char id[MACHINE_LENGTH];  /* of its boot, also in containers; else the host's name */
    char clock[CLOCK_LENGTH]; /* "<id>:<time namespace>", 0 where there are no such namespaces */
};

/** The same at every call: it is read by the first, before the library starts. */
const struct machine *machine_here(void);

#endif
