/* reading.c - processes read so far, and their cost */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mq_result mq_reading_init(struct mq_reading *reading, const char *ranks,
                               struct mq_error *error)
{
    memset(reading, 0, sizeof *reading);
    reading->ranks.next = reading->ranks.text = ranks;
    return mq_job_create(error, &reading->job);
}

void mq_reading_deinit(struct mq_reading *reading)
{
    mq_job_destroy(reading->job);
    mq_strbuf_deinit(&reading->worlds);
    free(reading->leads);
}

/* ---- Costs ------------------------------------------------------------- */

static void log_statistics(const char *name,
                           const struct mq_dll_statistics *cost)
{
    fprintf(stderr, "%s: %" PRIu64 " fetches, %" PRIu64 " failed, %" PRIu64
            " bytes, %" PRIu64 " look-ups, %" PRIu64 " allocations\n", name,
            cost->fetches, cost->failed_fetches, cost->bytes, cost->lookups,
            cost->allocations);
}

void mq_reading_add_costs(struct mq_reading *reading,
                          const struct mq_read_options *options,
                          const char *name, const struct mq_costs *costs)
{
    mq_costs_add(&reading->costs, costs->walked, &costs->total);
    if (options->stats && costs->walked > 0)
        log_statistics(name, &costs->total);
}

void mq_reading_log_total(const struct mq_reading *reading)
{
    char name[64];

    snprintf(name, sizeof name, "total of %zu process%s", reading->costs.walked,
             reading->costs.walked == 1 ? "" : "es");
    log_statistics(name, &reading->costs.total);
}

/* ---- Readings ---------------------------------------------------------- */

enum mq_result mq_reading_add(struct mq_reading *reading,
                              const struct mq_read_options *options,
                              struct mq_target *target, struct mq_error *error)
{
    struct mq_costs costs = {0};
    struct mq_error cause;
    enum mq_result result = mq_read_process(options->dlls, &options->choice,
                                            target, &options->handles,
                                            reading->job, &cause, &costs);

    mq_reading_add_costs(reading, options, target->name, &costs);
    return result == mq_ok ? mq_ok
           : mq_fail(error, "%s: %s", target->name, cause.text);
}

void mq_reading_forget(struct mq_reading *reading, size_t first)
{
    struct mq_job *job = reading->job;

    while (job->process_count > first)
        mq_process_deinit(&job->processes[--job->process_count]);
    while (reading->lead_count > 0
           && reading->leads[reading->lead_count - 1].process >= first)
        reading->lead_count--;
}

void mq_reading_complain(struct mq_reading *reading,
                         const struct mq_read_options *options,
                         const struct mq_error *error)
{
    reading->is_incomplete = true;
    mq_log(options->choice.logger, mq_warning, "%s", error->text);
}
