/** What a frame takes on the wire, by what carries it. */
#ifndef LEADLINE_SWITCH_FRAMING_H
#define LEADLINE_SWITCH_FRAMING_H

#include <stdint.h>

enum framing {
    FRAMING_ETHERNET, /**< IEEE 802.3: preamble 8, at least 60 bytes, check sequence 4, gap 12 */
    FRAMING_ATM       /**< AAL5 (ITU-T I.363.5) with LLC/SNAP (RFC 2684): cells of 48 in 53 bytes */
};

enum { ETHERNET_HEADER = 14 };

struct extent {
    int64_t carried_bits;  /**< up to the last one that the receiver waits for */
    int64_t occupied_bits; /**< and up to where the next frame may begin */
};

/** Of a frame of `frame_bytes` with its Ethernet header, which ATM doesn't carry. */
struct extent framing_extent(enum framing framing, int64_t frame_bytes);

#endif
