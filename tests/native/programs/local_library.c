/** A program that loads its MPI with what it calls "main" of, as Python does:
 * seen by nobody else. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int (*program)(int, char **) = NULL;
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (handle)
        *(void **)&program = dlsym(handle, "main");
    if (!program) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    return program(argc - 1, argv + 1);
}
