#include "channel/relay_path.h"

#include <limits.h>
#include <stdio.h>

#include "channel/machine.h"

const char *relay_path(const char *prefix)
{
    static char path[PATH_MAX + HOST_LENGTH];
    snprintf(path, sizeof path, "%s.%s/socket", prefix, machine_here()->host);
    return path;
}
