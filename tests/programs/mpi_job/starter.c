/* starter.c - separate launcher of the test job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi_job.h"
#include "mpir_variables.h"

#include <stdlib.h>
#include <unistd.h>

int MPID_MyWorldRank = starter_mailbox;

/* The starter has no queues: all that reaches it is an abort. */
void progress(int milliseconds)
{
    struct mail mail;
    char part[mail_most];

    if (mail_take(milliseconds, &mail, part) && mail.kind == mail_abort)
        start_abort(part, mail.tag);
}

int main(int argc, char **argv)
{
    job_read_options(argc, argv);
    alarm((unsigned)job_options.seconds);
#ifdef PARTIAL_ATTACH
    setenv("JOB_PARTIAL", "1", 1);
#endif
    argv[0] = (char *)job_options.program;
    start_ranks(0, argv);
    mail_open(starter_mailbox);
    start_publish(0);
    while (start_ranks_run())
        progress(100);
    return 0;
}
