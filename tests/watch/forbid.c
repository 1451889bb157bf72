/* forbid.c - forbid COMMAND...: runs it where nobody may look into processes,
 * as in a container without SYS_PTRACE: ptrace, process_vm_readv and counting
 * are refused.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(call)                                                           \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1),                         \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(int count, char **words)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSE(SYS_ptrace),
        REFUSE(SYS_process_vm_readv),
        REFUSE(SYS_process_vm_writev),
        REFUSE(SYS_perf_event_open),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    };
    struct sock_fprog filter = { sizeof rules / sizeof rules[0], rules };

    if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        perror("forbid");
        return 2;
    }
    execvp(words[1], words + 1);
    perror(words[1]);
    return 2;
}
