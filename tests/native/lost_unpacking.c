/**
 * A message that is never unpacked, for tests of validation: linked in with "-Wl,--wrap=tp_unpack".
 */
#include "transport/transport.h"

void __wrap_tp_unpack(void *to, size_t bytes);

void __wrap_tp_unpack(void *to, size_t bytes)
{
    (void)to, (void)bytes;
}
