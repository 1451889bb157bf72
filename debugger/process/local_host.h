/* local_host.h - test for names of the local host */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_LOCAL_HOST_H
#define MQ_LOCAL_HOST_H

#include <stdbool.h>

/* Whether NAME, a host name or an IPv4 or IPv6 address, is this machine's: its
 * own name with or without the domain, localhost, or the address of one of its
 * interfaces.  No name service is asked, so an alias is not recognised.
 */
bool mq_host_is_local(const char *name);

/* Whether two names mean one host: a name without a domain is the same as with
 * one.
 */
bool mq_host_is_same(const char *one, const char *other);

#endif
