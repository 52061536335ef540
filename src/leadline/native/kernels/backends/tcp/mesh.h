/**
 * A connection between every two ranks.
 *
 * Ranks meet at rank 0, which listens at LEADLINE_RENDEZVOUS ("address:port"). Each of the others
 * connects to it, listens itself at the address that this connection leaves from, and tells rank 0
 * where. When all have come, rank 0 sends everybody the list, and each rank connects to those
 * below it. Then nobody listens any more. All ranks' hosts have the same byte order.
 */
#ifndef LEADLINE_TCP_MESH_H
#define LEADLINE_TCP_MESH_H

/** The job as this process sees it. */
struct mesh {
    int rank, ranks;
    unsigned patience; /* polls before a waiting rank sleeps until the kernel wakes it */
    int *sockets;      /* [peer]; -1 for itself */
};

extern struct mesh mesh;

/** Connects this rank with all others; returns when it is. Ends the rank after 30 s without. */
void mesh_join(void);

/** Closes all connections. */
void mesh_leave(void);

#endif
