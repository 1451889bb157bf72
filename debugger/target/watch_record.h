/* watch_record.h - target that reads a record of libmqwatch
 *
 * The file that a process keeps itself (include/mqwatch_record.h) has its
 * memory, symbols and types.  Its threads are those that called MPI, each with
 * the place of its call alone.  One copy is made of it when it is opened: of a
 * process that runs meanwhile it need be of no one moment.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WATCH_RECORD_H
#define MQ_WATCH_RECORD_H

#include <stdbool.h>

#include "target/target.h"

/* A place in the code of a file that a process had loaded. */
struct mq_code_place {
    const char *path;           /* as the process called the file */
    const char *build_id;       /* in hexadecimal digits; null: it has none */
    uint64_t address;           /* that the file itself gives the place */
    bool is_program;
};

/* A reader of such places; what it returns lives as long as it does. */
struct mq_code_reader {
    /* The function that the instruction in front of PLACE is in: mq_absent if
     * nothing is known of it.
     */
    enum mq_result (*find)(struct mq_code_reader *,
                           const struct mq_code_place *place, struct mq_error *,
                           struct mq_frame *frame);
};

/* Other data of the record. */
struct mq_watch_head {
    const char *host, *job;     /* job: "" if it is not known */
    int process;                /* its id, on the host */
    int rank, world_size;       /* -1 and 0: not known */
    int64_t began;              /* when the record was, and the latest time that
                                   is in it, in nanoseconds since 1970 */
    int64_t latest;
    int64_t still_since;        /* it proves that none of its calls returned */
    int64_t still_until;        /* between these times of its host's clock in
                                   nanoseconds; both 0: it proves nothing */
    const char *clock;          /* the name of that clock; "": not known */
    int64_t since;              /* when the first thread entered its call or
                                   left its latest; 0: not known */
    uint64_t outside;           /* bytes that it had no room for */
    bool is_finalized;          /* MPI_Finalize has returned */
};

#define MQ_WATCH_MAGIC_LENGTH 8

/* Opens the record in FILE, a descriptor that stays the caller's, which is
 * called NAME.  Without CODE, which may be null, places are known by their
 * files alone.
 */
enum mq_result mq_watch_record_open(const char *name, int file,
                                    struct mq_code_reader *code,
                                    struct mq_error *,
                                    struct mq_target **target);

/* The same of LENGTH bytes, which were made by malloc and become the target's,
 * or are freed.
 */
enum mq_result mq_watch_record_parse(const char *name, unsigned char *bytes,
                                     size_t length,
                                     struct mq_code_reader *code,
                                     struct mq_error *,
                                     struct mq_target **target);

/* Other data of TARGET, which is such a record. */
const struct mq_watch_head *mq_watch_record_head(const struct mq_target *);

#endif
