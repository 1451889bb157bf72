/* reading.h - from targets to a job
 *
 * Sources (sources.h) hand each process that they find to a reader, which
 * chooses the DLL, walks the queues, and adds what it found to the job.
 */
#ifndef MQ_READING_H
#define MQ_READING_H

#include <stdbool.h>

#include "dll/choice.h"
#include "job/job.h"
#include "target/target.h"
#include "dll/walk.h"

struct mq_live_settings;

struct mq_reader {
    struct mq_dll_choice choice;
    const struct mq_live_settings *live;    /* how to get at processes */
    size_t named;               /* processes that were asked for so far */
    bool stats;                 /* tell of each process what it cost */
    struct mq_job *job;
    size_t walked;              /* processes */
    struct mq_statistics total; /* of them */
    struct mq_dll *dll;         /* that was chosen last, or null, */
    char *dll_image;            /* and for which image */
    bool is_incomplete;         /* something could not be read */
};

/* Forgets the DLL; the job stays the caller's. */
void mq_reader_clear(struct mq_reader *);

/* Walks TARGET, which stays the caller's, and adds it to the job.  A failure
 * names the target.
 */
enum mq_result mq_reader_walk(struct mq_reader *, struct mq_target *target,
                              struct mq_error *);

/* Tells the user on stderr of an error that did not end everything, and notes
 * that the job is incomplete.
 */
void mq_reader_complain(struct mq_reader *, const struct mq_error *);

/* Writes the total to stderr. */
void mq_reader_tell_total(const struct mq_reader *);

#endif
