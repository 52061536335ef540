/**
 * Messages whose bytes don't lie side by side: the library gathers and scatters them by a derived
 * datatype.
 */
#ifndef LEADLINE_TRANSPORT_DATATYPES_H
#define LEADLINE_TRANSPORT_DATATYPES_H

#include <stddef.h>
#include <stdint.h>

/** How elements lie in memory. */
enum tp_form {
    TP_CONTIGUOUS, /* bytes side by side: no datatype is needed */
    TP_STRIDED,    /* every second of an array of doubles */
    TP_STRUCT,     /* an array of struct tp_particle */
};

/** An element with holes: 16 bytes of payload in 24. */
struct tp_particle {
    int32_t kind;
    double charge;
    char symbol[4];
};

enum {
    TP_STRIDE = 2, /* in doubles */
    TP_STRIDED_PAYLOAD = 8,
    TP_STRUCT_PAYLOAD = 16,
};

/** A form and a number of elements, as the backend's library wants to be told of them. */
struct tp_datatype;

/**
 * The datatype of `elements` (at least 1) elements of `form` in memory. Ends the rank where that is
 * beyond what the library counts to, or there is no memory.
 */
struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements);
extern const char tp_datatype_algorithm[];

/** Gives back what tp_datatype_make returned. NULL is allowed. */
void tp_datatype_free(struct tp_datatype *type);

/** Like tp_send of all elements of `type` at `from`, without what lies between them. */
void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag);

/** Like tp_recv; what lies between the elements isn't touched. */
void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag);

#endif
