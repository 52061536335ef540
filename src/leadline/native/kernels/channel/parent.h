/**
 * What wakes a stopped process once nobody waits for it any more.
 *
 * A rank that was stopped (SIGSTOP, a debugger that died) can't see its front-end hang up. So it
 * asks the kernel for SIGCONT when who started it ends, which launchers do once the front-end has
 * gone: the thread that watches the control channel then ends it. SIGKILL would be surer by a step,
 * and wrong: the kernel sends this signal when the THREAD that started the process ends, as a
 * launcher's may while all is well; to who runs SIGCONT does nothing.
 */
#ifndef LEADLINE_PARENT_H
#define LEADLINE_PARENT_H

/** Asks for it. Call first: whoever is stopped before sleeps on. */
void parent_wakes_me(void);

#endif
