/**
 * A relay: one process that speaks with the front-end for all ranks of a launch on its host.
 *
 * It listens where LEADLINE_RELAY says ("channel/control.h") and connects to the front-end as a
 * rank does ("channel/control.h"). Then it says
 *
 *   relay ranks=64 host=H pid=P    it listens: its ranks may be started
 *   stranger forged                it refused a connection, and for what ("relay/admission.h")
 *   hello rank=5 ...               a rank's, as it came
 *
 * and once all its ranks have said theirs, it listens no more. Each line from the front-end goes to
 * all of them, but for two that are its own:
 *
 *   await id=7 below=100 reduce=1  ranks below 100 answer the command that follows
 *   missing                        who of them hasn't?
 *
 * It says
 *
 *   result ... (and the like)      all their answers, once it has them ("relay/answers.h")
 *   missing ranks=3,7-9
 *   lost rank=3 how=silent         a rank hung up, or how=astray: said what is no answer
 *
 * Until all have answered it sleeps, on one of them at a time: no rank is measured while it runs.
 * It ends when the front-end hangs up, and its ranks then do, or when the last of them has, after
 * "end".
 */
#ifndef LEADLINE_RELAY_H
#define LEADLINE_RELAY_H

/** Serves `ranks` ranks of a launch of `of`; the front-end is at `address`. The exit status. */
int relay_serve(const char *address, int ranks, int of);

#endif
