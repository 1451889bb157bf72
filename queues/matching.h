/* matching.h - tag matching of a UCX worker */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_MATCHING_H
#define QUEUES_MATCHING_H

#include <stddef.h>

#include "queues/reader.h"

/* Nine words that are the same in every release of UCX from 1.8 on: the queue
 * of receives with wildcards (head, address of its last link, two counts), the
 * table of the other receives, how many there were in all and are now, the list
 * of all arrived messages (previous, next), and the table of these.
 */
enum matching_word {
    word_head, word_last, word_counts, word_expected, word_sequence,
    word_count, word_previous, word_next, word_unexpected, matching_words
};

enum {
    BUCKETS = 1024              /* entries of both tables */
};

struct matching {
    uint64_t at;             /* 0: not found */
    uint64_t words[matching_words];
    uint64_t expected[BUCKETS][3];      /* first, address of the last, count */
    uint64_t unexpected[BUCKETS][2];    /* previous, next */
};

/* What may be tag and mask of one of this MPI's receives. */
typedef int matching_is_pair(uint64_t tag, uint64_t mask);

/* One posted receive or arrived message. */
struct matching_entry {
    uint64_t at;             /* of a receive: its link in the queue */
    uint64_t tag, mask;
    int64_t length;             /* -1: not known */
    int is_pending;             /* its sender is held until it is received */
    uint64_t buffer;         /* 0: not known */
    uint64_t owner;          /* what the MPI gave with it; 0: not known */
    uint64_t mark;           /* of a message: its send's (sends.h); 0: not
                                known, or its sender need not wait */
};

/* Takes an entry; mqs_ok to go on, or an error. */
typedef int matching_take(void *context, const struct matching_entry *);

/* Reads what is at ADDRESS: mqs_ok if it is a tag matching for certain,
 * mqs_end_of_list if not, or an error.
 */
int matching_read(struct reader *, uint64_t address, struct matching *);

/* Looks into what ADDRESS points to, which may be a worker.  *FOUND is added
 * to: err_several_workers if it has another one already.
 */
int matching_search(struct reader *, uint64_t address, struct matching *room,
                    struct matching *found);

/* Gives each posted receive, in each queue in order, and each arrived message,
 * in the order of arrival.
 */
int matching_receives(struct reader *, const struct matching *,
                      matching_is_pair *, matching_take *, void *context);
int matching_arrived(struct reader *, const struct matching *,
                     matching_take *, void *context);

#endif
