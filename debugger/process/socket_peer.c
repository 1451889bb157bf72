/* socket_peer.c - the other end of a socket, on this host */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/socket_peer.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/number.h"

/* A C library without the kernel's headers does without. */
#ifdef __has_include
#if __has_include(<linux/unix_diag.h>)
#define HAS_DIAGNOSIS
#endif
#endif

/* ---- TCP ---------------------------------------------------------------- */

/* A line of net/tcp or net/tcp6, which have addresses as hexadecimal words. */
struct connection {
    char ends[2][48];           /* the own one, and the other */
    uint64_t inode;
};

/* Those of IPv4 are the same in both files. */
static const char *plain(const char *address)
{
    static const char mapped[] = "0000000000000000FFFF0000";

    return strncmp(address, mapped, sizeof mapped - 1) == 0
           ? address + sizeof mapped - 1 : address;
}

/* Finds the connection that IS, with CLOSURE. */
static bool find_connection(const char *folder,
                            bool (*is)(const struct connection *,
                                       const void *closure),
                            const void *closure, struct connection *found)
{
    static const char *const files[] = { "tcp", "tcp6" };
    bool has = false;

    for (int i = 0; i < 2 && !has; i++) {
        char path[PATH_MAX], line[512];
        FILE *file;

        snprintf(path, sizeof path, "%s/net/%s", folder, files[i]);
        file = fopen(path, "re");
        while (file != NULL && !has && fgets(line, sizeof line, file) != NULL) {
            char state[3], inode[24];
            const char *at = inode;

            has = sscanf(line, " %*[0-9]: %47s %47s %2s %*s %*s %*s %*s %*s "
                         "%23s", found->ends[0], found->ends[1], state, inode)
                  == 4 && strcmp(state, "01") == 0      /* established */
                  && mq_number_read(&at, UINT64_MAX, &found->inode)
                     == mq_number_ok && is(found, closure);
        }
        if (file != NULL)
            fclose(file);
    }
    return has;
}

static bool has_inode(const struct connection *it, const void *inode)
{
    return it->inode == *(const uint64_t *)inode;
}

static bool is_reverse(const struct connection *it, const void *closure)
{
    const struct connection *own = closure;

    return strcmp(plain(it->ends[0]), plain(own->ends[1])) == 0
           && strcmp(plain(it->ends[1]), plain(own->ends[0])) == 0;
}

/* ---- Local sockets ------------------------------------------------------ */

#ifdef HAS_DIAGNOSIS
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>

/* The kernel answers for the network namespace of the one that asks. */
static bool shares_network(const char *folder)
{
    char path[PATH_MAX], its[64], own[64];
    ssize_t length;

    snprintf(path, sizeof path, "%s/ns/net", folder);
    length = readlink(path, its, sizeof its);
    return length > 0
           && readlink("/proc/self/ns/net", own, sizeof own) == length
           && memcmp(its, own, (size_t)length) == 0;
}

static bool take_answer(const struct nlmsghdr *answer, size_t length,
                        uint64_t inode, uint64_t *peer)
{
    const struct unix_diag_msg *about = NLMSG_DATA(answer);
    const size_t head = NLMSG_LENGTH(sizeof *about);
    uint32_t number = 0;

    if (length < head || answer->nlmsg_len > length || answer->nlmsg_len < head
        || answer->nlmsg_type != SOCK_DIAG_BY_FAMILY
        || about->udiag_ino != inode)
        return false;
    length = answer->nlmsg_len - head;
    for (const struct rtattr *it = (const struct rtattr *)(about + 1);
         RTA_OK(it, length); it = RTA_NEXT(it, length))
        if (it->rta_type == UNIX_DIAG_PEER
            && RTA_PAYLOAD(it) == sizeof number)
            memcpy(&number, RTA_DATA(it), sizeof number);
    if (number != 0)
        *peer = number;
    return number != 0;
}

static bool find_local(const char *folder, uint64_t inode, uint64_t *peer)
{
    struct {
        struct nlmsghdr head;
        struct unix_diag_req about;
    } question = {
        { sizeof question, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 0, 0 },
        { .sdiag_family = AF_UNIX, .udiag_states = UINT32_MAX,
          .udiag_ino = (uint32_t)inode, .udiag_show = UDIAG_SHOW_PEER,
          .udiag_cookie = { UINT32_MAX, UINT32_MAX } }
    };
    union {
        struct nlmsghdr head;
        char bytes[1024];
    } answer;
    bool is_found = false;
    ssize_t length;
    int kernel;

    if (inode > UINT32_MAX || !shares_network(folder))
        return false;
    kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (kernel < 0)
        return false;
    if (send(kernel, &question, sizeof question, 0) == sizeof question
        && (length = recv(kernel, &answer, sizeof answer, 0)) > 0)
        is_found = take_answer(&answer.head, (size_t)length, inode, peer);
    close(kernel);
    return is_found;
}

#else

static bool find_local(const char *folder, uint64_t inode, uint64_t *peer)
{
    (void)folder, (void)inode, (void)peer;
    return false;
}

#endif

bool mq_socket_peer(const char *folder, uint64_t inode, uint64_t *peer)
{
    struct connection own, other;

    if (find_local(folder, inode, peer))
        return true;
    if (!find_connection(folder, has_inode, &inode, &own)
        || !find_connection(folder, is_reverse, &own, &other)
        || other.inode == 0)
        return false;
    *peer = other.inode;
    return true;
}
