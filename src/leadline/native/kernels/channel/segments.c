#include "channel/segments.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char shared[] = "/dev/shm/";

/* Whether `name` begins as one of those between the colons of `beginnings`. */
static bool is_a_librarys(const char *name, const char *beginnings)
{
    for (const char *one = beginnings; *one;) {
        const size_t bytes = strcspn(one, ":");
        if (bytes > 0 && strncmp(name, one, bytes) == 0)
            return true;
        one += bytes + (one[bytes] == ':');
    }
    return false;
}

static void remove_if_ours(const char *path, ino_t inode, const char *beginnings)
{
    const char *name = path + strlen(shared);
    struct stat found;
    if (strncmp(path, shared, strlen(shared)) != 0 || strchr(name, '/'))
        return;
    if (is_a_librarys(name, beginnings) && lstat(path, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_ino == inode && found.st_uid == geteuid())
        unlink(path);
}

static void remove_mapped(const char *beginnings)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t room = 0;
    while (maps && getline(&line, &room, maps) > 0) {
        unsigned long inode;
        int path;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%*s %*s %*s %*s %lu %n", &inode, &path) == 1)
            remove_if_ours(line + path, (ino_t)inode, beginnings);
    }
    free(line);
    if (maps)
        fclose(maps);
}

/* What was made and isn't mapped yet. */
static void remove_open(const char *beginnings)
{
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        struct stat opened;
        const ssize_t bytes = readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1);
        if (bytes > 0 && fstat(atoi(entry->d_name), &opened) == 0) {
            path[bytes] = '\0';
            remove_if_ours(path, opened.st_ino, beginnings);
        }
    }
    closedir(folder);
}

void segments_remove(void)
{
    const char *beginnings = getenv("LEADLINE_SEGMENTS");
    if (!beginnings)
        return;
    remove_open(beginnings);
    remove_mapped(beginnings);
}
