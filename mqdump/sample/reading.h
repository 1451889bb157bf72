/* reading.h - processes read so far, and their cost
 *
 * Sources (sources.h) hand each process that they find to a reading, which adds
 * what is found in it (read_process.h) to the job.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_READING_H
#define MQ_READING_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "dll/choice.h"
#include "model/job.h"
#include "mqdump/sample/live_settings.h"
#include "mqdump/sample/looks.h"
#include "mqdump/sample/subjects.h"
#include "process/pin.h"
#include "read/read_process.h"
#include "target/target.h"

/* How to read; the same for all processes. */
struct mq_read_options {
    struct mq_dll_choice choice;            /* whose logger hears all that a
                                               user is to know */
    const struct mq_live_settings *live;    /* how to get at processes */
    struct mq_dll_cache *dlls;  /* that are open */
    bool verbose;               /* the user wants to hear stories */
    bool stats;                 /* log what each process cost */
    struct mq_handle_wishes handles;
    bool marks;                 /* mark running ranks as being debugged while
                                   they are looked at */
};

/* A process of this host that was read, to look at it again. */
struct mq_lead {
    struct mq_pin pin;
    size_t process;             /* in the job */
    struct mq_spot spot;
};

/* Processes read so far. */
struct mq_reading {
    struct mq_job *job;
    size_t lead_count, lead_room;
    struct mq_lead *leads;
    double stopped_seconds;     /* seconds that processes were stopped, at most;
                                   what other processes wait for one is not
                                   in it */
    bool is_incomplete;         /* something could not be read */
    struct mq_rank_list ranks;  /* that the user gave, as far as it is used */
    struct mq_costs costs;
    struct mq_strbuf worlds;    /* of ranks on several hosts, as in answer.h */
    time_t last_call;           /* when the latest call began of ranks that have
                                   ended, by their records; 0: not known */
    size_t hosts;               /* of those that were asked, with ranks */
};

/* An empty reading.  RANKS is as in struct mq_live_settings and must outlive
 * it.
 */
enum mq_result mq_reading_init(struct mq_reading *, const char *ranks,
                               struct mq_error *);
void mq_reading_deinit(struct mq_reading *);

/* Adds TARGET, which stays the caller's, to the reading's job.  A failure names
 * the target.
 */
enum mq_result mq_reading_add(struct mq_reading *,
                              const struct mq_read_options *,
                              struct mq_target *target, struct mq_error *);

/* Hands each process that VALUES, a source's words, name to the reading.  It
 * complains itself if only some could not be read.
 */
typedef enum mq_result mq_source_reader(char *const *values,
                                        const struct mq_read_options *,
                                        struct mq_reading *,
                                        struct mq_error *);

/* Forgets the processes from FIRST on, whose ranks mean nothing. */
void mq_reading_forget(struct mq_reading *, size_t first);

/* Logs an error that did not end everything, and notes that the job is
 * incomplete.
 */
void mq_reading_complain(struct mq_reading *, const struct mq_read_options *,
                         const struct mq_error *);

/* Adds the cost of reading the process NAME, and logs it if that is asked. */
void mq_reading_add_costs(struct mq_reading *, const struct mq_read_options *,
                          const char *name, const struct mq_costs *);

/* Writes the total to stderr. */
void mq_reading_log_total(const struct mq_reading *);

#endif
