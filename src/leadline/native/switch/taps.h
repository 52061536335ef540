/**
 * The ends of the hosts' devices: what a host sends is read here, what it receives is written.
 *
 * Hosts leave checksums out, as they do where a network's hardware computes and checks them: on
 * this wire no bit changes, and each pass over 8 KiB takes a microsecond that no wire has.
 */
#ifndef LEADLINE_SWITCH_TAPS_H
#define LEADLINE_SWITCH_TAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "frame.h"
#include "stations.h"

enum { MOST_FRAME = 65535 };

/**
 * Makes the device `name` in this network namespace, with this MTU and MAC address; it is gone when
 * the descriptor is closed, wherever it was moved to.
 *
 * Returns the descriptor, which doesn't block, or -1 after a complaint on standard error.
 */
int tap_make(const char *name, int32_t mtu, const uint8_t address[ADDRESS_BYTES]);

/**
 * The bytes of a frame read into `octets` ([MOST_FRAME]), what its sender left to be done into
 * `undone`; 0: there is none; -1: no device.
 */
ssize_t tap_read(int tap, struct virtio_net_hdr *undone, uint8_t *octets);

/** Returns whether the host took it: one whose device is down doesn't. */
bool tap_write(int tap, const struct frame *frame);

#endif
