/* local_host.c - test for names of the local host */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/local_host.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool is_interface(int family, const void *address, size_t size)
{
    struct ifaddrs *all;
    bool found = false;

    if (getifaddrs(&all) != 0)
        return false;
    for (struct ifaddrs *one = all; one != NULL && !found;
         one = one->ifa_next) {
        if (one->ifa_addr == NULL || one->ifa_addr->sa_family != family)
            continue;
        if (family == AF_INET) {
            struct sockaddr_in in;

            memcpy(&in, one->ifa_addr, sizeof in);
            found = memcmp(&in.sin_addr, address, size) == 0;
        } else {
            struct sockaddr_in6 in6;

            memcpy(&in6, one->ifa_addr, sizeof in6);
            found = memcmp(&in6.sin6_addr, address, size) == 0;
        }
    }
    freeifaddrs(all);
    return found;
}

bool mq_host_is_same(const char *one, const char *other)
{
    size_t one_length = strcspn(one, "."), other_length = strcspn(other, ".");

    if (one[one_length] != '\0' && other[other_length] != '\0')
        return strcasecmp(one, other) == 0;
    return one_length == other_length &&
           strncasecmp(one, other, one_length) == 0;
}

static bool is_own_ipv4(const unsigned char address[4])
{
    return address[0] == 127 || is_interface(AF_INET, address, 4);
}

bool mq_host_is_local(const char *name)
{
    /* The prefix of an IPv4 address in the notation of IPv6. */
    static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
    unsigned char address[16];
    char own[256] = "";

    if (inet_pton(AF_INET, name, address) == 1)
        return is_own_ipv4(address);
    if (inet_pton(AF_INET6, name, address) != 1)
        return mq_host_is_same(name, "localhost")
               || (gethostname(own, sizeof own - 1) == 0 && own[0] != '\0'
                   && mq_host_is_same(name, own));
    if (memcmp(address, mapped, sizeof mapped) == 0)
        return is_own_ipv4(address + sizeof mapped);
    return memcmp(address, &in6addr_loopback, 16) == 0
           || is_interface(AF_INET6, address, 16);
}
