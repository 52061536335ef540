/**
 * The control channel: one stream of commands per rank, outside the measured library.
 *
 * A rank connects to LEADLINE_CONTROL ("unix:path", "address:port", or "relay:prefix" where a relay
 * speaks for the ranks of its host), is asked for a proof that it belongs to the launch named
 * LEADLINE_LAUNCH, and gives it ("channel/proof.h") by LEADLINE_SECRET:
 *
 *   front-end: challenge NONCE
 *   rank:      launch NAME PROOF
 *
 * It then says hello and blocks in read() until the next command, so that an idle rank costs
 * nothing to those being measured beside it. A thread that sleeps in poll() ends the process when
 * the front-end hangs up, also while the rank spins inside the library: kill -9 of the front-end
 * leaves no orphan, nor what the library had in /dev/shm.
 *
 * Instead of a socket the commands can come from a file ("--script FILE"); what the rank says then
 * goes to "<records>.<rank>".
 */
#ifndef LEADLINE_CONTROL_H
#define LEADLINE_CONTROL_H

#include <stddef.h>

/** Status with which a rank ends when the front-end hangs up. */
enum { STATUS_HUNG_UP = 3 };

/** Connects to the front-end and proves whose rank this is; returns the socket. Exits with a
    message if it can't. Call before tp_init, unless ranks are simulated. */
int control_connect(const char *address);

/** Says from now on what this rank says over the socket of another in the same process. */
void control_share(int connection);

/** The same, but nothing ends the process when the front-end hangs up. Returns the socket, from
   which nothing is read before the process has said what it is. */
int control_reach(const char *address);

/** Reads commands from `script` and writes to "<records>.<rank>". Call after tp_init. */
void control_open(const char *script, const char *records, int rank);

/** The next command line, however long, without its newline; NULL at the end of a script. Where the
    front-end hung up instead, the process ends with STATUS_HUNG_UP. */
const char *control_next(void);

/** Sends a line (printf format, newline added by the caller). */
void control_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Sends `bytes` bytes as they are. */
void control_send(const void *from, size_t bytes);

/**
 * The path of the socket where the ranks of this host find the relay that speaks for them
 * ("relay/relay.h"): that of `prefix` ("/tmp/leadline-launch-x"), which all hosts are told, on this
 * one ("/tmp/leadline-launch-x.HOST/socket"): hosts may share a file system. Valid until the next
 * call; longer than a socket's path may be where `prefix` is too long.
 */
const char *relay_path(const char *prefix);

#endif
