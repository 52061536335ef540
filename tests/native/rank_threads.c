/**
 * Runs the ranks of a program as threads of one process, so that the thread sanitizer sees what
 * each of them does to the memory they share: rank_threads SHARED-OBJECT ... loads one copy of the
 * program for each rank, with static variables of its own, and calls its main.
 *
 * Copies are linked with as_thread.c, which asks here where a file is mapped.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rank_threads.h"

enum { MOST_RANKS = 16, MOST_FILES = 64 };

/** A file that all ranks see at one address, as the sanitizer wants it. */
static struct file {
    dev_t device;
    ino_t number;
    void *memory;
} files[MOST_FILES];

static int file_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "rank_threads: %s\n", why);
    exit(EXIT_FAILURE);
}

static void *mapped(int fd, size_t bytes)
{
    struct stat file;
    fstat(fd, &file);
    for (int i = 0; i < file_count; i++)
        if (files[i].device == file.st_dev && files[i].number == file.st_ino)
            return files[i].memory;
    if (file_count == MOST_FILES)
        give_up("too many files are mapped");
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    files[file_count++] = (struct file){file.st_dev, file.st_ino, memory};
    return memory;
}

void *rank_threads_map(int fd, size_t bytes)
{
    pthread_mutex_lock(&lock);
    void *memory = mapped(fd, bytes);
    pthread_mutex_unlock(&lock);
    return memory;
}

/** A rank's copy of the program. */
struct copy {
    int (*main)(int argc, char **argv);
    pthread_t thread;
};

static struct copy loaded(const char *path, int rank, int ranks)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        give_up(dlerror());
    void (*place)(int, int) = (void (*)(int, int))(uintptr_t)dlsym(object, "as_thread_place");
    place(rank, ranks);
    return (struct copy){.main = (int (*)(int, char **))(uintptr_t)dlsym(object, "main")};
}

static void *run(void *of_copy)
{
    static char name[] = "rank", *const words[] = {name, NULL};
    const struct copy *copy = of_copy;
    const int status = copy->main(1, (char **)(uintptr_t)words);
    if (status != 0)
        exit(status);
    return NULL;
}

int main(int argc, char **argv)
{
    const int ranks = argc - 1;
    static struct copy copies[MOST_RANKS];
    if (ranks < 1 || ranks > MOST_RANKS)
        give_up("name a shared object for each of 1 to 16 ranks");
    for (int rank = 0; rank < ranks; rank++)
        copies[rank] = loaded(argv[1 + rank], rank, ranks);
    for (int rank = 0; rank < ranks; rank++)
        if (pthread_create(&copies[rank].thread, NULL, run, &copies[rank]) != 0)
            give_up("no thread for a rank");
    for (int rank = 0; rank < ranks; rank++)
        pthread_join(copies[rank].thread, NULL);
    return EXIT_SUCCESS;
}
