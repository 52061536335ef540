#include "stations.h"

#include <stdbool.h>
#include <string.h>

enum { GROUP = 1, UNKNOWN = 0 };

static bool is_group(const uint8_t *address)
{
    return address[0] & GROUP;
}

static uint64_t number_of(const uint8_t *address)
{
    uint64_t number = 0;
    memcpy(&number, address, ADDRESS_BYTES);
    return number;
}

void stations_address(int32_t port, uint8_t address[ADDRESS_BYTES])
{
    static const uint8_t first[ADDRESS_BYTES] = {0x02, 0x4c, 0x65, 0x61, 0x64};
    memcpy(address, first, ADDRESS_BYTES);
    address[ADDRESS_BYTES - 1] = (uint8_t)(port + 1);
}

void stations_learn(struct stations *stations, int32_t port, const uint8_t *address)
{
    const uint64_t number = number_of(address);
    if (stations->address[port] == number || is_group(address))
        return;
    for (int32_t other = 0; other < stations->ports; other++)
        if (stations->address[other] == number)
            stations->address[other] = UNKNOWN;
    stations->address[port] = number;
}

int32_t stations_find(const struct stations *stations, const uint8_t *address)
{
    const uint64_t sought = number_of(address);
    for (int32_t port = 0; sought != UNKNOWN && port < stations->ports; port++)
        if (stations->address[port] == sought)
            return port;
    return EVERYONE;
}
