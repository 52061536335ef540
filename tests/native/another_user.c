/** A relay that takes itself for another user's, so that its own user's processes are strangers. */
#include <unistd.h>

uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);

uid_t __wrap_geteuid(void)
{
    return __real_geteuid() + 1;
}
