/** Where the ranks of a host find the relay that speaks for them ("relay/relay.h"). */
#ifndef LEADLINE_RELAY_PATH_H
#define LEADLINE_RELAY_PATH_H

/**
 * The socket's path: that of `prefix` ("/tmp/leadline-launch-x"), which all hosts are told, on this
 * one ("/tmp/leadline-launch-x.HOST/socket"): hosts may share a file system. Valid until the next
 * call; longer than a socket's path may be where `prefix` is too long.
 */
const char *relay_path(const char *prefix);

#endif
