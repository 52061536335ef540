#include "interposed/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interposed/compiled_for.h"
#include "saying.h"

enum {
    MOST_VERSION = 8192 /**< the longest that any library's MPI_MAX_LIBRARY_VERSION_STRING is */
};

static pthread_once_t started = PTHREAD_ONCE_INIT;
static void *local_library; /**< where the library isn't in the global scope; else NULL */
static const struct core *core;
static char complaint[512]; /**< why there is no core although one is wanted; else empty */
static atomic_bool asked;   /**< for the core, at least once */

static function function_in(void *handle, const char *name)
{
    function found = NULL;
    *(void **)&found = dlsym(handle, name);
    return found;
}

/** Brings the object into the global scope, where the core finds it, if it is an MPI library. */
static int promote(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    void *handle = *object->dlpi_name ? dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (handle && dlsym(handle, "PMPI_Get_library_version"))
        local_library = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (handle)
        dlclose(handle);
    return local_library != NULL;
}

static function find(const char *name)
{
    function found = function_in(RTLD_NEXT, name);
    return found || !local_library ? found : function_in(local_library, name);
}

/** The path of the core, which lies beside this object. */
static void core_path(char *path, size_t size)
{
    Dl_info self = {0};
    dladdr((void *)&started, &self);
    const char *file = self.dli_fname ? self.dli_fname : "";
    const char *slash = strrchr(file, '/');
    const int length = slash ? (int)(slash - file) + 1 : 0;
    snprintf(path, size, "%.*s" CORE_FILE, length, file);
}

static void load_core(void)
{
    char path[4096];
    core_path(path, sizeof path);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    core = handle ? (const struct core *)dlsym(handle, CORE_TABLE) : NULL;
    if (!core)
        snprintf(complaint, sizeof complaint, "%s; ranks stay", dlerror());
}

/** Keeps the first line of `text`, without the blanks and tabs that follow another. */
static void end_first_line(char *text)
{
    char *end = text;
    for (const char *at = text; *at && *at != '\n'; at++)
        if (!isblank((unsigned char)*at) || !isblank((unsigned char)at[1]))
            *end++ = *at;
    *end = '\0';
}

/** Loads the core unless the library is another one than this object was compiled for. */
static void load_if_fitting(void)
{
    char version[MOST_VERSION] = "";
    int length = 0;
    int (*get)(char *, int *) = (int (*)(char *, int *))find("PMPI_Get_library_version");
    if (get)
        get(version, &length);
    end_first_line(version);
    if (is_compiled_for(version))
        load_core();
    else
        snprintf(complaint, sizeof complaint,
                 "this preload library is for %s, the program runs with %.200s; ranks stay",
                 compiled_for(), *version ? version : "an MPI that doesn't say which it is");
}

static void start(void)
{
    const char *mode = getenv("LEADLINE_MAP");
    if (!function_in(RTLD_NEXT, "PMPI_Get_library_version"))
        dl_iterate_phdr(promote, NULL);
    if (!mode || !*mode || !strcmp(mode, "on") || !strcmp(mode, "report"))
        load_if_fitting();
    else if (strcmp(mode, "off") != 0)
        snprintf(complaint, sizeof complaint,
                 "LEADLINE_MAP=%s is none of off, report and on; ranks stay", mode);
}

/** Whether the calling process is to say what concerns all of `comm`. */
static bool is_first(intptr_t comm)
{
    int rank = 0;
    int (*comm_rank)(intptr_t, int *) = (int (*)(intptr_t, int *))find("PMPI_Comm_rank");
    return !comm_rank || comm_rank(comm, &rank) != 0 || rank == 0;
}

function library_next(const char *name)
{
    pthread_once(&started, start);
    return find(name);
}

const struct core *library_core(intptr_t comm)
{
    pthread_once(&started, start);
    if (*complaint && !atomic_exchange(&asked, true) && is_first(comm))
        warn("%s", complaint);
    return core;
}
