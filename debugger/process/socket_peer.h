/* socket_peer.h - the other end of a socket, on this host
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SOCKET_PEER_H
#define MQ_SOCKET_PEER_H

#include <stdbool.h>
#include <stdint.h>

/* The inode of the socket that is connected to the one with INODE, which a
 * process has that FOLDER, "/proc/PID", is of: one of TCP whose other end is on
 * this host, or a local one.  False: it has none, or that is not known.
 */
bool mq_socket_peer(const char *folder, uint64_t inode, uint64_t *peer);

#endif
