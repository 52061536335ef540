/**
 * The files that a rank's library keeps in /dev/shm, removed where the library can't do it itself.
 *
 * A rank that is hung up on ends at once, wherever it is inside its library, which then doesn't
 * remove its segments: they would fill the machine's memory until it is booted. Their names are of
 * the library's making; but who maps or opens one knows it.
 */
#ifndef LEADLINE_SEGMENTS_H
#define LEADLINE_SEGMENTS_H

/** Removes every file of /dev/shm that this process maps or has open, that is its user's, and whose
    name begins as one of LEADLINE_SEGMENTS ("mpich_shm_:ucx_shm_"; unset: none). For a rank whose
    whole job ends. What can't be removed stays. */
void segments_remove(void);

#endif
