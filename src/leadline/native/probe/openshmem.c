/**
 * Says which OpenSHMEM this is. With an argument PE 0 also puts into PE 1's memory, so that the
 * launcher and the transport are known to work.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1 << 20 };

static void report_library(void)
{
    char name[SHMEM_MAX_NAME_LEN] = "";
    int major, minor;
    shmem_info_get_name(name);
    shmem_info_get_version(&major, &minor);
#ifdef OSHMEM_MAJOR_VERSION /* its name is an address */
    printf("leadline-probe header=shmem library=Open MPI v%d.%d.%d (OpenSHMEM %d.%d)\n",
           OSHMEM_MAJOR_VERSION, OSHMEM_MINOR_VERSION, OSHMEM_RELEASE_VERSION, major, minor);
#else
    printf("leadline-probe header=shmem library=%s (OpenSHMEM %d.%d)\n", name, major, minor);
#endif
}

static void exchange(void)
{
    static char from[MESSAGE_BYTES], to[MESSAGE_BYTES];
    if (shmem_my_pe() == 0 && shmem_n_pes() > 1)
        shmem_putmem(to, from, sizeof to, 1);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("leadline-probe size=%d\n", shmem_n_pes());
}

int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    if (argc < 2)
        report_library();
    else
        exchange();
    shmem_finalize();
    return 0;
}
