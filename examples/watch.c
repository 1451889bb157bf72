/* watch.c - watches a job and reports why it hangs
 *
 *     cc watch.c $(pkg-config --cflags --libs libmqdebug)
 *     ./a.out PID|FILE...
 *
 * The processes of the job by number, or its recording or digest by file.  Ends
 * with 1 if the job hangs: of processes, if it looks so twice in ten seconds,
 * since those of a job that runs are read at different moments.  Ends with 0 if
 * a recording shows nothing that hangs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libmqdebug.h>

static int add(mqdebug_job *job, const char *word)
{
    char *end;
    int pid = (int)strtol(word, &end, 10);

    return *end == '\0' ? mqdebug_job_add_process(job, pid)
                        : mqdebug_job_add_file(job, word);
}

static int look(mqdebug_job *job, char **words)
{
    int failed = job == NULL;

    while (!failed && *words != NULL)
        failed = add(job, *words++);
    return failed || mqdebug_job_analyse(job);
}

static void print(const mqdebug_job *job)
{
    const mqdebug_reason *reason;
    size_t i;

    puts(mqdebug_job_headline(job));
    for (i = 0; (reason = mqdebug_reason_at(job, i)) != NULL; i++)
        printf("not certain: %s\n", mqdebug_reason_text(reason));
}

int main(int argc, char **argv)
{
    int status = argc < 2 ? 2 : 0, is_live = argc > 1 && atoi(argv[1]) > 0;
    char last[1024] = "";
    mqdebug_job *job = NULL;

    while (status == 0) {
        mqdebug_job_destroy(job);
        job = mqdebug_job_create();
        if (look(job, argv + 1) != 0)
            status = 2;
        else if (mqdebug_job_verdict(job) >= MQDEBUG_POSSIBLE)
            status = !is_live
                     || strncmp(last, mqdebug_job_headline(job), 1023) == 0;
        if (!is_live)
            break;
        if (status == 0) {
            strncpy(last, mqdebug_job_headline(job), 1023);
            sleep(10);
        }
    }
    if (status == 2)
        fprintf(stderr, "%s\n", job != NULL ? mqdebug_error(job)
                                            : "usage: watch PID|FILE...");
    else
        print(job);
    mqdebug_job_destroy(job);
    return status;
}
