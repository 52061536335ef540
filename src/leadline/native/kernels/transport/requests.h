/**
 * Operations under way: each has a numbered slot, 0 .. TP_MOST_REQUESTS - 1, from the call that
 * starts it until one that finds it complete. Buffers belong to the transport in between.
 */
#ifndef LEADLINE_TRANSPORT_REQUESTS_H
#define LEADLINE_TRANSPORT_REQUESTS_H

#include <stdbool.h>

enum { TP_MOST_REQUESTS = 1024 };

/** Returns when the operation in `slot` is complete. */
void tp_wait(int slot);

/** Lets operations progress; true, and the slot free, if the one in `slot` is complete. */
bool tp_test(int slot);

#endif
