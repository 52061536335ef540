/** Packing: messages that are assembled before they are sent, and taken apart after they came. */
#ifndef LEADLINE_TRANSPORT_PACKING_H
#define LEADLINE_TRANSPORT_PACKING_H

#include <stddef.h>

/** Begins a message and packs `bytes` bytes at `from` into it. It is kept until the next tp_pack.
 */
void tp_pack(const void *from, size_t bytes);
extern const char tp_pack_algorithm[];

/** Sends rank `peer`, another one, the message packed last; may be repeated. */
void tp_send_packed(int peer, int tag);

/** Receives a packed message of `bytes` bytes of rank `peer`, and unpacks nothing. It is kept until
 * the next tp_recv_packed. */
void tp_recv_packed(size_t bytes, int peer, int tag);

/** Unpacks `bytes` bytes, all there are, of the message that tp_recv_packed received last into
 * `to`; may be repeated. */
void tp_unpack(void *to, size_t bytes);

#endif
