#include "core/notices.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAME = 200 };

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

bool notices_kept(void)
{
    return getenv("MPI_LOCALNRANKS") || (getenv("PMIX_RANK") && getenv("OMPI_UNIVERSE_SIZE"));
}

void notices_post(const char *name, const char *text)
{
    char full[MOST_NAME];
    name_fully(name, full);
    const struct handlers kept = begin();
    PMPI_Publish_name(full, MPI_INFO_NULL, text);
    end(kept);
}

bool notices_has(const char *name)
{
    char text[MPI_MAX_PORT_NAME];
    return read_notice(name, text);
}

bool notices_claim(const char *name)
{
    char mine[MPI_MAX_PORT_NAME], host[64] = "", found[MPI_MAX_PORT_NAME];
    if (notices_has(name))
        return false;
    gethostname(host, sizeof host - 1);
    snprintf(mine, sizeof mine, "%s-%ld", host, (long)getpid());
    notices_post(name, mine);
    return !read_notice(name, found) || !strcmp(found, mine);
}
