/**
 * Makes every large message over shared memory a single copy, whatever the calibration found, and
 * the kernel stop short of the end of each: linked with "-Wl,--wrap=single_copy_pays" and
 * "-Wl,--wrap=process_vm_readv".
 */
#include <stdbool.h>
#include <sys/uio.h>

enum { MOST_BYTES_AT_ONCE = 50000, LEAST_LARGE_BYTES = 4097 };

bool __wrap_single_copy_pays(size_t bytes, bool resent);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags);
ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags);

bool __wrap_single_copy_pays(size_t bytes, bool resent)
{
    (void)resent;
    return bytes >= LEAST_LARGE_BYTES;
}

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags)
{
    struct iovec some = *here;
    if (some.iov_len > MOST_BYTES_AT_ONCE)
        some.iov_len = MOST_BYTES_AT_ONCE;
    return __real_process_vm_readv(pid, &some, here_count, there, there_count, flags);
}
