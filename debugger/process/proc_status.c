/* proc_status.c - reader of /proc/PID/status */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/proc_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/proc_stat.h"

/* The value of KEY in LINE, or null if it is another's. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);

    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static void take_line(const char *line, struct mq_proc_status *status,
                      bool *has_users)
{
    unsigned real, effective, saved;
    const char *value;

    if ((value = value_of(line, "Tgid:")) != NULL)
        status->process = atoi(value);
    else if ((value = value_of(line, "TracerPid:")) != NULL)
        status->tracer = atoi(value);
    else if ((value = value_of(line, "Seccomp:")) != NULL)
        status->seccomp = atoi(value);
    else if ((value = value_of(line, "CapPrm:")) != NULL)
        status->permitted = strtoull(value, NULL, 16);
    else if ((value = value_of(line, "CapEff:")) != NULL)
        status->in_effect = strtoull(value, NULL, 16);
    else if ((value = value_of(line, "SigCgt:")) != NULL)
        status->handled = strtoull(value, NULL, 16);
    else if ((value = value_of(line, "SigIgn:")) != NULL)
        status->ignored = strtoull(value, NULL, 16);
    else if ((value = value_of(line, "SigPnd:")) != NULL
             || (value = value_of(line, "ShdPnd:")) != NULL)
        status->pending |= strtoull(value, NULL, 16);
    else if ((value = value_of(line, "SigBlk:")) != NULL)
        status->blocked = strtoull(value, NULL, 16);
    else if ((value = value_of(line, "voluntary_ctxt_switches:")) != NULL)
        status->waits = strtoull(value, NULL, 10);
    else if ((value = value_of(line, "nonvoluntary_ctxt_switches:")) != NULL)
        status->preemptions = strtoull(value, NULL, 10);
    else if (sscanf(line, "Uid: %u %u %u", &real, &effective, &saved) == 3) {
        status->real = real;
        status->effective = effective;
        status->saved = saved;
        *has_users = true;
    }
}

bool mq_proc_status_read(int number, struct mq_proc_status *status)
{
    struct mq_proc_status found = { .handled = UINT64_MAX };
    bool has_users = false;
    FILE *file = mq_proc_open(number, "status");
    char line[256];

    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL)
        take_line(line, &found, &has_users);
    fclose(file);
    if (has_users)
        *status = found;
    return has_users;
}
