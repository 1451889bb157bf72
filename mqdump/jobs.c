/* jobs.c - MPI jobs of this user on this host */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "find/discover.h"
#include "mqdump/cli/input.h"
#include "process/proc_stat.h"

enum { most_looked_at = 64 };   /* ranks of a job, for a list */

enum mq_result mq_jobs_only(struct mq_error *error, int *starter,
                            size_t *count)
{
    struct mq_discovered_job *jobs;

    if (mq_discover_jobs("/proc", geteuid(), error, &jobs, count) != mq_ok)
        return mq_failed;
    if (*count == 1)
        *starter = jobs[0].starter;
    free(jobs);
    return *count == 1 ? mq_ok : mq_absent;
}

/* Seconds since the system was started; 0 if that cannot be read. */
static double read_uptime(void)
{
    FILE *file = fopen("/proc/uptime", "r");
    char text[64];
    double up = 0;

    if (file == NULL)
        return 0;
    if (fgets(text, sizeof text, file) != NULL)
        up = strtod(text, NULL);
    fclose(file);
    return up;
}

/* When a process was started, as a local time in words. */
static void describe_begin(int pid, char *text, size_t size)
{
    struct mq_proc_stat stat = { .start = 0 };
    double up = read_uptime();
    struct tm local;
    time_t begin;

    mq_proc_stat_read(pid, &stat);
    begin = time(NULL)
            - (time_t)(up - (double)stat.start / (double)sysconf(_SC_CLK_TCK));
    if (stat.start == 0 || localtime_r(&begin, &local) == NULL
        || strftime(text, size, "%Y-%m-%d %H:%M", &local) == 0)
        snprintf(text, size, "not known");
}

static size_t count_waiting(const struct mq_job *job, struct mq_error *error)
{
    struct mq_analysis *analysis;
    size_t count = 0;

    if (mq_analyse(job, error, &analysis) != mq_ok)
        return 0;
    for (size_t p = 0; p < job->process_count; p++)
        count += analysis->waits.of[p].state == mq_rank_waits;
    mq_analysis_destroy(analysis);
    return count;
}

/* Which share of a job's ranks waits, in words. */
static void describe_waiting(const struct mq_settings *settings,
                             const struct mq_discovered_job *found, char *text,
                             size_t size)
{
    struct mq_settings own = *settings;
    struct mq_sources sources = {0};
    struct mq_reading reading;
    struct mq_error error;
    char starter[16];
    char *value = starter;
    enum mq_result result;

    snprintf(text, size, "not known");
    if (found->rank_count > most_looked_at)
        return;
    own.live.looks = 1;
    own.live.quiet = true;
    snprintf(starter, sizeof starter, "%d", found->starter);
    result = mq_sources_add(&sources, mq_source_job, &value, &error);
    if (result == mq_ok)
        result = mq_reader_read(&own, &sources, NULL, &error, &reading);
    mq_sources_deinit(&sources);
    if (result != mq_ok)
        return;
    if (reading.job->process_count > 0)
        snprintf(text, size, "%zu of %zu",
                 count_waiting(reading.job, &error),
                 reading.job->process_count);
    mq_reading_deinit(&reading);
}

static void list_job(const struct mq_settings *settings,
                     const struct mq_discovered_job *job)
{
    char begin[32], waiting[32];

    describe_begin(job->starter, begin, sizeof begin);
    describe_waiting(settings, job, waiting, sizeof waiting);
    printf("%8d  %5d  %-16s  %-12s  ", job->starter, job->rank_count, begin,
           waiting);
    mq_text_write(stdout, job->program);
    putchar('\n');
}

enum mq_exit mq_jobs_list(const struct mq_settings *settings)
{
    struct mq_discovered_job *jobs;
    struct mq_error error;
    size_t count;

    if (mq_discover_jobs("/proc", geteuid(), &error, &jobs, &count) != mq_ok)
        return mq_output_fail(error.text);
    printf("Your MPI jobs on this host (mqdump --job PID shows one):\n"
           "%8s  %5s  %-16s  %-12s  %s\n", "process", "ranks", "since",
           "waiting", "program");
    for (size_t i = 0; i < count; i++)
        list_job(settings, &jobs[i]);
    free(jobs);
    return mq_output_finish(mq_exit_shown);
}
