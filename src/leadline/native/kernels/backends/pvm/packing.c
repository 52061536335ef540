/** Packing: as part of every message, and by itself, into one that other sends leave alone. */
#include "backends/pvm/packing.h"

#include <pvm3.h>

#include "backends/pvm/machine.h"
#include "transport/transport.h"

const char tp_pack_algorithm[] = "native";

static int packed, received;

/* What is no whole number of doubles is sent as bytes in any case. */
static bool as_doubles(size_t bytes)
{
    return machine.doubles && bytes % sizeof(double) == 0;
}

void pack(const void *from, size_t bytes)
{
    if (as_doubles(bytes))
        machine_checked(pvm_pkdouble((double *)from, (int)(bytes / sizeof(double)), 1),
                        "pvm_pkdouble");
    else
        machine_checked(pvm_pkbyte((char *)from, (int)bytes, 1), "pvm_pkbyte");
}

void unpack(void *to, size_t bytes)
{
    if (as_doubles(bytes))
        machine_checked(pvm_upkdouble(to, (int)(bytes / sizeof(double)), 1), "pvm_upkdouble");
    else
        machine_checked(pvm_upkbyte(to, (int)bytes, 1), "pvm_upkbyte");
}

/* What pvm_initsend does for the message that it keeps. */
void tp_pack(const void *from, size_t bytes)
{
    if (packed)
        pvm_freebuf(packed);
    packed = pvm_mkbuf(machine.encoding);
    const int before = pvm_setsbuf(packed);
    pack(from, bytes);
    pvm_setsbuf(before);
}

void tp_send_packed(int peer, int tag)
{
    const int before = pvm_setsbuf(packed);
    machine_checked(pvm_send(machine.tids[peer], tag), "pvm_send");
    pvm_setsbuf(before);
}

void tp_recv_packed(size_t bytes, int peer, int tag)
{
    (void)bytes; /* the message says it itself */
    const int before = pvm_setrbuf(0);
    if (received)
        pvm_freebuf(received);
    received = machine_checked(pvm_recv(machine.tids[peer], tag), "pvm_recv");
    pvm_setrbuf(before);
}

/* A message is unpacked from its beginning once it has been the one to be sent, as those are that
   are passed on. */
void tp_unpack(void *to, size_t bytes)
{
    pvm_setsbuf(pvm_setsbuf(received));
    const int before = pvm_setrbuf(received);
    unpack(to, bytes);
    pvm_setrbuf(before);
}
