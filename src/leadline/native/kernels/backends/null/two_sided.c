/**
 * Other ways of sending and receiving messages that go nowhere: complete as soon as they are
 * started, from any thread.
 */
#include "transport/transport.h"

/* -- operations under way ---------------------------------------------------------------------- */

const char tp_isend_algorithm[] = "native";

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    (void)from, (void)bytes, (void)peer, (void)tag, (void)slot;
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    (void)to, (void)bytes, (void)peer, (void)tag, (void)slot;
}

void tp_wait(int slot)
{
    (void)slot;
}

void tp_waitall(int first, int count)
{
    (void)first, (void)count;
}

bool tp_test(int slot)
{
    (void)slot;
    return true;
}

/* -- modes ------------------------------------------------------------------------------------- */

const char tp_matching_algorithm[] = "native";
const char tp_ssend_algorithm[] = "native";
const char tp_bsend_algorithm[] = "native";
const char tp_persistent_algorithm[] = "native";

int tp_recv_any(void *to, size_t bytes, int tag)
{
    (void)to, (void)bytes, (void)tag;
    return tp_size() - 1;
}

void tp_ssend(const void *from, size_t bytes, int peer, int tag)
{
    (void)from, (void)bytes, (void)peer, (void)tag;
}

void tp_buffer_attach(size_t bytes)
{
    (void)bytes;
}

void tp_buffer_detach(void)
{
}

void tp_bsend(const void *from, size_t bytes, int peer, int tag)
{
    (void)from, (void)bytes, (void)peer, (void)tag;
}

void tp_send_init(const void *from, size_t bytes, int peer, int tag, int slot)
{
    (void)from, (void)bytes, (void)peer, (void)tag, (void)slot;
}

void tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot)
{
    (void)to, (void)bytes, (void)peer, (void)tag, (void)slot;
}

void tp_start(int slot)
{
    (void)slot;
}

void tp_persistent_free(int slot)
{
    (void)slot;
}

/* -- datatypes --------------------------------------------------------------------------------- */

const char tp_datatype_algorithm[] = "native";

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    (void)form, (void)elements;
    return NULL;
}

void tp_datatype_free(struct tp_datatype *type)
{
    (void)type;
}

void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag)
{
    (void)from, (void)type, (void)peer, (void)tag;
}

void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag)
{
    (void)to, (void)type, (void)peer, (void)tag;
}

/* -- packing ----------------------------------------------------------------------------------- */

const char tp_pack_algorithm[] = "native";

void tp_pack(const void *from, size_t bytes)
{
    (void)from, (void)bytes;
}

void tp_send_packed(int peer, int tag)
{
    (void)peer, (void)tag;
}

void tp_recv_packed(size_t bytes, int peer, int tag)
{
    (void)bytes, (void)peer, (void)tag;
}

void tp_unpack(void *to, size_t bytes)
{
    (void)to, (void)bytes;
}

/* -- threads ----------------------------------------------------------------------------------- */

const char tp_threads_algorithm[] = "native";

bool tp_threads_granted(void)
{
    return true;
}
