#include "backends/tcp/mesh.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tcp/sockets.h"

enum {
    STRANGER_S = 2,      /* before a connection that says nothing is taken for no rank's */
    LIST_S = 30,         /* until rank 0 has heard of all */
    QUIET_POLLS = 20000, /* some 5 ms: waking a sleeping rank costs ten microseconds or more */
    CROWDED_POLLS = 2,   /* more ranks than cores: the peer may be waiting for this very core */
};

/** What a rank says first on every connection that it makes. */
struct hello {
    char job[64];
    int32_t rank, ranks;
    struct address listens_at;
};

struct mesh mesh = {.rank = 0, .ranks = 1};

static const char *required(const char *variable)
{
    const char *value = getenv(variable);
    if (!value)
        tcp_fail("not started by leadline: %s is missing", variable);
    return value;
}

static struct hello read_environment(void)
{
    struct hello mine = {.job = ""};
    mine.rank = mesh.rank = atoi(required("LEADLINE_RANK"));
    tcp_fails_as(mesh.rank);
    mine.ranks = mesh.ranks = atoi(required("LEADLINE_RANKS"));
    if (mesh.ranks < 1 || mesh.rank < 0 || mesh.rank >= mesh.ranks)
        tcp_fail("LEADLINE_RANK isn't below LEADLINE_RANKS, which is %d", mesh.ranks);
    snprintf(mine.job, sizeof mine.job, "%s", required("LEADLINE_JOB"));
    mesh.patience = mesh.ranks > sysconf(_SC_NPROCESSORS_ONLN) ? CROWDED_POLLS : QUIET_POLLS;
    return mine;
}

static void *new_array(size_t size)
{
    void *array = calloc((size_t)mesh.ranks, size);
    if (!array)
        tcp_fail("no memory for %d connections", mesh.ranks);
    return array;
}

static bool is_expected(const struct hello *theirs, const struct hello *mine)
{
    return strncmp(theirs->job, mine->job, sizeof mine->job) == 0 && theirs->ranks == mesh.ranks &&
           theirs->rank > mesh.rank && theirs->rank < mesh.ranks && mesh.sockets[theirs->rank] < 0;
}

static int first_missing(void)
{
    int peer = mesh.rank + 1;
    while (mesh.sockets[peer] >= 0)
        peer++;
    return peer;
}

/* Takes in all ranks above this one; whoever else connects is hung up on. */
static void admit_higher(int listener, const struct hello *mine, struct address *list)
{
    for (int missing = mesh.ranks - 1 - mesh.rank; missing > 0;) {
        struct hello theirs;
        const int fd = next_connection(listener);
        if (fd < 0)
            tcp_fail("rank %d of %d never came", first_missing(), mesh.ranks);
        limit_reading(fd, STRANGER_S);
        if (!read_whole(fd, &theirs, sizeof theirs) || !is_expected(&theirs, mine)) {
            close(fd);
            continue;
        }
        mesh.sockets[theirs.rank] = fd;
        list[theirs.rank] = theirs.listens_at;
        missing--;
    }
    close(listener);
}

static void introduce(int peer, const struct address *address, const struct hello *mine)
{
    mesh.sockets[peer] = connect_to(address);
    if (!write_whole(mesh.sockets[peer], mine, sizeof *mine))
        tcp_fail("rank %d at %s hung up", peer, address_text(address));
}

static void lead(struct address rendezvous, const struct hello *mine, struct address *list)
{
    admit_higher(listen_at(&rendezvous), mine, list);
    for (int peer = 1; peer < mesh.ranks; peer++)
        if (!write_whole(mesh.sockets[peer], list, (size_t)mesh.ranks * sizeof *list))
            tcp_fail("rank %d hung up before all ranks had come", peer);
}

static void follow(struct address rendezvous, struct hello *mine, struct address *list)
{
    const int root = mesh.sockets[0] = connect_to(&rendezvous);
    mine->listens_at = address_beside(root);
    const int listener = listen_at(&mine->listens_at);
    limit_reading(root, LIST_S);
    if (!write_whole(root, mine, sizeof *mine) ||
        !read_whole(root, list, (size_t)mesh.ranks * sizeof *list))
        tcp_fail("rank 0 at %s never said where the others are", address_text(&rendezvous));
    for (int peer = 1; peer < mesh.rank; peer++)
        introduce(peer, &list[peer], mine);
    admit_higher(listener, mine, list);
}

void mesh_join(void)
{
    struct hello mine = read_environment();
    struct address *list = new_array(sizeof *list);
    mesh.sockets = new_array(sizeof *mesh.sockets);
    for (int peer = 0; peer < mesh.ranks; peer++)
        mesh.sockets[peer] = -1;
    if (mesh.ranks > 1)
        (mesh.rank == 0 ? lead(address_of(required("LEADLINE_RENDEZVOUS")), &mine, list)
                        : follow(address_of(required("LEADLINE_RENDEZVOUS")), &mine, list));
    free(list);
}

void mesh_leave(void)
{
    for (int peer = 0; peer < mesh.ranks; peer++)
        if (mesh.sockets[peer] >= 0)
            close(mesh.sockets[peer]);
    free(mesh.sockets);
}
