/** Which port a destination's address is behind. Each port has one station. */
#ifndef LEADLINE_SWITCH_STATIONS_H
#define LEADLINE_SWITCH_STATIONS_H

#include <stdint.h>

#include "frame.h"

enum { ADDRESS_BYTES = 6, MOST_PORTS = 255 };

struct stations {
    int32_t ports;
    uint64_t address[MOST_PORTS]; /**< 0: not known yet */
};

/** The address that the station at `port` has at first: 02:4c:65:61:64, then the port from 1. */
void stations_address(int32_t port, uint8_t address[ADDRESS_BYTES]);

/** The station at `port` has this address, and no other one has it any more; a group has none. */
void stations_learn(struct stations *stations, int32_t port, const uint8_t *address);

/** Its port; EVERYONE where it is a group's address, or nobody's that is known. */
int32_t stations_find(const struct stations *stations, const uint8_t *address);

#endif
