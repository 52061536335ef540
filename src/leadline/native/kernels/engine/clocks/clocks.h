/**
 * The common clock: that of rank 0, which every rank knows by a fit to its own.
 *
 * Ranks that read one clock share a fit, which their leader makes (Hunold and Carpen-Amarie 2018,
 * HCA3): leaders read each other's clocks over a binomial tree, and who has its fit answers with
 * the common clock, so that a job of n clocks takes ceil(log2 n) rounds. All by tp_send and tp_recv
 * outside of batches. Before the first fit a rank takes its own clock for the common one, which is
 * right where all read one.
 */
#ifndef LEADLINE_CLOCKS_H
#define LEADLINE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Obeys "clocks id=7 apart=A", collective: fits anew, with what earlier fits of this launch read.
 * A is "clocks", or "hosts": then each host is taken to have a clock of its own. Says
 *
 *   fitted id=7 rank=R leader=L fits=N here_ns=H offset_ns=X drift=Y missed_ns=M error_ns=E
 *   round_trip_ns=T
 *
 * on one line, of the leader's N-th fit: at H by its clock this shows X more than the common one
 * and gains Y; M is what the fit before missed (0: there was none), E the reading's
 * error, T the shortest round trip. All 0 for the common clock. Returns false if
 * `line` is no such command.
 */
bool clocks_obey(const char *line);

/** What this rank's clock shows when the common one shows `common_ns`. */
int64_t clocks_here_ns(int64_t common_ns);

/** What the common clock shows when this rank's shows `here_ns`. */
int64_t clocks_common_ns(int64_t here_ns);

#endif
