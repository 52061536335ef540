#include "core/reach.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/settings.h"
#include "saying.h"

/* -- notices ----------------------------------------------------------------------------------- */

/*
 * What processes of a job leave for each other with their launcher (MPI's name publishing): nobody
 * waits for anybody. A failure is an answer, and reaches no error handler of the program. Names are
 * the job's own, without blanks, at most NOTICE_NAME_BYTES - 1 long.
 */

enum { NOTICE_NAME_BYTES = 40, MOST_NAME = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/** Whose error handler hears of names: that of the world by MPI 3, of the process by MPI 4. */
struct handlers {
    MPI_Errhandler world, self;
};

static MPI_Errhandler quieten(MPI_Comm comm)
{
    MPI_Errhandler kept = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(comm, &kept);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return kept;
}

static void give_back(MPI_Comm comm, MPI_Errhandler kept)
{
    PMPI_Comm_set_errhandler(comm, kept);
    PMPI_Errhandler_free(&kept);
}

/** One thread at a time, or a handler that another has put away would be kept. */
static struct handlers begin(void)
{
    pthread_mutex_lock(&lock);
    return (struct handlers){quieten(MPI_COMM_WORLD), quieten(MPI_COMM_SELF)};
}

static void end(struct handlers kept)
{
    give_back(MPI_COMM_WORLD, kept.world);
    give_back(MPI_COMM_SELF, kept.self);
    pthread_mutex_unlock(&lock);
}

/** The name as the launcher gets it, which may keep those of several jobs. */
static void name_fully(const char *name, char full[MOST_NAME])
{
    const char *job = getenv("PMIX_NAMESPACE");
    snprintf(full, MOST_NAME, "leadline-map-%s-%s", job ? job : "", name);
}

/** What is posted under `name`, to `text`. */
static bool read_notice(const char *name, char text[MPI_MAX_PORT_NAME])
{
    char full[MOST_NAME];
    name_fully(name, full);
    const struct handlers kept = begin();
    const int status = PMPI_Lookup_name(full, MPI_INFO_NULL, text);
    end(kept);
    return status == MPI_SUCCESS;
}

/**
 * Whether the launcher is one that keeps notices, told without asking it: Hydra (MPICH, Intel MPI)
 * or Open MPI's own. Slurm's PMI2 answers MPICH about a name that it doesn't know so that MPICH
 * crashes (22.05 and 5.0.2); its PMIx keeps none, which Open MPI 4.1 says in a box of eight lines.
 */
static bool notices_kept(void)
{
    return getenv("MPI_LOCALNRANKS") || (getenv("PMIX_RANK") && getenv("OMPI_UNIVERSE_SIZE"));
}

/** Posts `text` under `name`; may fail silently, e.g. where another was first. */
static void notices_post(const char *name, const char *text)
{
    char full[MOST_NAME];
    name_fully(name, full);
    const struct handlers kept = begin();
    PMPI_Publish_name(full, MPI_INFO_NULL, text);
    end(kept);
}

/** Whether there is a notice `name`, by whichever process. */
static bool notices_has(const char *name)
{
    char text[MPI_MAX_PORT_NAME];
    return read_notice(name, text);
}

/**
 * Whether the caller is the first to claim `name`. Where a launcher lets a second post replace the
 * first, two processes that claim at the same time may both be told so.
 */
static bool notices_claim(const char *name)
{
    char mine[MPI_MAX_PORT_NAME], host[64] = "", found[MPI_MAX_PORT_NAME];
    if (notices_has(name))
        return false;
    gethostname(host, sizeof host - 1);
    snprintf(mine, sizeof mine, "%s-%ld", host, (long)getpid());
    notices_post(name, mine);
    return !read_notice(name, found) || !strcmp(found, mine);
}

/* -- reach ------------------------------------------------------------------------------------- */

enum { TAG = 0 /**< to and from nobody but this library, in a communicator that is new */ };

/** A process's neighbours in a binary tree of ranks, MPI_PROC_NULL those that lack the library. */
struct kin {
    int parent, children[2];
    bool complete; /**< none does */
};

static pthread_once_t announced = PTHREAD_ONCE_INIT;
static bool heard; /**< notices can be posted, and the own one is found */

static void name_of(int world_rank, char *name)
{
    snprintf(name, NOTICE_NAME_BYTES, "here-%d", world_rank);
}

/** Processes that were spawned have their parents' notices under the names of their own. */
static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

static void announce(void)
{
    char name[NOTICE_NAME_BYTES];
    int rank;
    if (is_spawned() || !notices_kept())
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    name_of(rank, name);
    notices_post(name, "here");
    heard = notices_has(name);
    if (heard)
        saying_asks(notices_claim);
}

void reach_announce(void)
{
    int has_world = 0; /* sessions may be used before there is one, by some ranks only */
    PMPI_Initialized(&has_world);
    if (has_world)
        pthread_once(&announced, announce);
}

/** The ranks in MPI_COMM_WORLD of `count` ranks of `comm`; MPI_UNDEFINED those from elsewhere. */
static void translate(MPI_Comm comm, int count, const int *ranks, int *world_ranks)
{
    MPI_Group all, world;
    PMPI_Comm_group(comm, &all);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(all, count, ranks, world, world_ranks);
    PMPI_Group_free(&all);
    PMPI_Group_free(&world);
}

/** `rank` of `comm`, or MPI_PROC_NULL where it lacks the library. */
static int if_heard(MPI_Comm comm, int rank, struct kin *kin)
{
    char name[NOTICE_NAME_BYTES];
    int world_rank;
    translate(comm, 1, &rank, &world_rank);
    name_of(world_rank, name);
    if (world_rank != MPI_UNDEFINED && notices_has(name))
        return rank;
    kin->complete = false;
    return MPI_PROC_NULL;
}

static struct kin kin_of(MPI_Comm comm)
{
    struct kin kin = {MPI_PROC_NULL, {MPI_PROC_NULL, MPI_PROC_NULL}, true};
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank > 0)
        kin.parent = if_heard(comm, (rank - 1) / 2, &kin);
    for (int which = 0; which < 2; which++)
        if (2 * rank + 1 + which < size)
            kin.children[which] = if_heard(comm, 2 * rank + 1 + which, &kin);
    return kin;
}

/** Up the tree whether all are there, and down again what its root then knows. */
static bool agree(MPI_Comm comm, const struct kin *kin)
{
    int all = kin->complete;
    for (int which = 0; which < 2; which++) {
        int below = 1;
        PMPI_Recv(&below, 1, MPI_INT, kin->children[which], TAG, comm, MPI_STATUS_IGNORE);
        all = all && below;
    }
    PMPI_Send(&all, 1, MPI_INT, kin->parent, TAG, comm);
    PMPI_Recv(&all, 1, MPI_INT, kin->parent, TAG, comm, MPI_STATUS_IGNORE);
    for (int which = 0; which < 2; which++)
        PMPI_Send(&all, 1, MPI_INT, kin->children[which], TAG, comm);
    return all;
}

/** Whether the user gave their word, and no process of another world is in `comm`. */
static bool is_promised(MPI_Comm comm)
{
    int size, has_world = 0;
    if (!settings_reaches_all())
        return false;
    PMPI_Initialized(&has_world);
    if (!has_world)
        return true;
    PMPI_Comm_size(comm, &size);
    int *ranks = memory_of(comm, 2 * (size_t)size, sizeof *ranks), known = 0;
    for (int rank = 0; rank < size; rank++)
        ranks[rank] = rank;
    translate(comm, size, ranks, ranks + size);
    while (known < size && ranks[size + known] != MPI_UNDEFINED)
        known++;
    free(ranks);
    return known == size;
}

enum reach reach_promised(MPI_Comm comm, const char *why)
{
    int rank = 0;
    if (is_promised(comm))
        return REACH_ALL;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        warn("whether every rank has this library can't be told, %s; ranks stay; "
             "LEADLINE_MAP_REACHES=all is your word that they have it",
             why);
    return REACH_SOME;
}

enum reach reach_ask(MPI_Comm comm)
{
    if (!heard)
        return reach_promised(comm, is_spawned() ? "where ranks were spawned"
                                                 : "where the launcher keeps no names");
    const struct kin kin = kin_of(comm);
    if (agree(comm, &kin))
        return REACH_ALL;
    if (kin.parent == MPI_PROC_NULL)
        warn("only some ranks have this library, since LD_PRELOAD wasn't passed on to all; ranks "
             "stay; leadline exec --map passes it on");
    return REACH_SOME;
}

/* -- crew -------------------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int keyval = MPI_KEYVAL_INVALID;

static int forget(MPI_Comm comm, int key, void *crew, void *unused)
{
    (void)comm, (void)key, (void)unused;
    free(crew);
    return MPI_SUCCESS;
}

static void make_keyval(void)
{
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
}

struct crew *crew_of(MPI_Comm comm)
{
    struct crew *crew = NULL;
    int found = 0;
    pthread_once(&once, make_keyval);
    PMPI_Comm_get_attr(comm, keyval, (void *)&crew, &found);
    if (found)
        return crew;
    crew = memory_of(comm, 1, sizeof *crew);
    crew->node = -1;
    PMPI_Comm_set_attr(comm, keyval, crew);
    return crew;
}
