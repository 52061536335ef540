/** A machine where no process may read another's memory: "-Wl,--wrap=process_vm_readv". */
#include <errno.h>
#include <sys/uio.h>

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags);

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags)
{
    (void)pid, (void)here, (void)here_count, (void)there, (void)there_count, (void)flags;
    errno = EPERM;
    return -1;
}
