/* test_tallies.c - messages derived from counters */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "model/digest.h"
#include "model/job.h"
#include "model/tallies.h"
#include "tests/kit/harness.h"

enum { id = 77 };

#define TALLY(its_peer, its_tag, its_sent, its_received)                       \
    { .peer = (its_peer), .tag = (its_tag), .sent = (its_sent),                \
      .received = (its_received) }


/* Two ranks of one communicator; rank 0 has sent what rank 1 has counted. */
struct pair {
    struct mq_job *job;
    struct mq_tally sent, received;
    int listed;                 /* sends of rank 0 that are not complete */
    int posted;                 /* receives of rank 1 for them */
    bool is_wild;               /* these are from anybody */
    int matched_sends, matched_receives;        /* that are to be so */
    enum mq_movement movement;  /* of rank 1 */
};

static void *copy_of(const void *item, size_t size)
{
    void *copy = malloc(size);

    if (copy == NULL)
        abort();
    memcpy(copy, item, size);
    return copy;
}

/* COUNT equal operations. */
static void give(struct mq_process *process, struct mq_queue *queue,
                 const struct mq_operation *operation, int count)
{
    struct mq_operation all[4];

    for (int i = 0; i < count; i++)
        all[i] = *operation;
    process->operations = copy_of(all, sizeof all);
    process->operation_count = queue->count = (uint32_t)count;
}

static int count_matched(const struct mq_process *process,
                         enum mq_queue_class class)
{
    const struct mq_queue *queue = &process->communicators[0].queues[class];
    int count = 0;

    for (uint32_t i = queue->first; i < queue->first + queue->count; i++)
        count += process->operations[i].status == mq_matched;
    return count;
}

static void add(struct pair *pair, int rank, const struct mq_tally *tally)
{
    static const int ranks[] = { 0, 1 };
    struct mq_operation send = { .desired_local = 1, .desired_global = 1,
                                 .desired_tag = 5 };
    struct mq_operation receive = {
        .desired_local = pair->is_wild ? -1 : 0, .desired_tag = 5
    };
    struct mq_communicator world = { .id = 1, .local_rank = rank, .size = 2,
                                     .name = "world", .agreed_id = id };
    struct mq_process process = { .name = "p", .image = "i", .rank = rank,
                                  .communicator_count = 1, .tally_count = 1 };
    struct mq_error error;

    CHECK_INT(mq_job_group(pair->job, ranks, 2, &error, &world.group), mq_ok);
    give(&process, &world.queues[rank == 0 ? mq_sends : mq_receives],
         rank == 0 ? &send : &receive,
         rank == 0 ? pair->listed : pair->posted);
    process.movement = (uint8_t)(rank == 1 ? pair->movement
                                 : mq_movement_unknown);
    process.communicators = copy_of(&world, sizeof world);
    process.tallies = copy_of(tally, sizeof *tally);
    CHECK_INT(mq_job_add(pair->job, &process, &error), mq_ok);
}

static void check(const char *name, struct pair pair, int count, int state)
{
    const struct mq_process *receiver;
    const struct mq_queue *queue;
    struct mq_error error;

    test("%s", name);
    CHECK_INT(mq_job_create(&error, &pair.job), mq_ok);
    add(&pair, 0, &pair.sent);
    add(&pair, 1, &pair.received);
    CHECK_INT(mq_tallies_apply(pair.job, &error), mq_ok);
    receiver = &pair.job->processes[1];
    queue = &receiver->communicators[0].queues[mq_unexpected];
    CHECK_INT(queue->count, count);
    CHECK_INT(queue->state, state);
    CHECK_INT(receiver->remark_count, state == mq_absent);
    CHECK_INT(count_matched(&pair.job->processes[0], mq_sends),
              pair.matched_sends);
    CHECK_INT(count_matched(receiver, mq_receives), pair.matched_receives);
    for (uint32_t i = 0; i < queue->count; i++) {
        const struct mq_operation *it;

        it = &receiver->operations[queue->first + i];
        CHECK_INT(it->desired_global, 0);
        CHECK_INT(it->desired_tag, 5);
        CHECK(it->from_stack);
    }
    mq_job_destroy(pair.job);
}

/* They follow from the sums alone. */
static void check_two_tags(void)
{
    static const int64_t tags[][2] = {
        { 0, 0 }, { 0, 1 }, { 3, 3 }, { 17, 2000000000 },
        { 2147483646, 2147483647 }, { 0, 2147483647 }
    };

    test("two of folded tags are under way");
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        const uint64_t a = (uint64_t)tags[i][0], b = (uint64_t)tags[i][1];
        struct pair pair = {
            .sent = { .peer = 1, .tag = -2, .sent = 3,
                      .sent_tags = { a + b + 6, a * a + b * b + 36 } },
            .received = { .tag = 6, .received = 1 }
        };
        const struct mq_process *receiver;
        const struct mq_queue *queue;
        struct mq_error error;

        CHECK_INT(mq_job_create(&error, &pair.job), mq_ok);
        add(&pair, 0, &pair.sent);
        add(&pair, 1, &pair.received);
        CHECK_INT(mq_tallies_apply(pair.job, &error), mq_ok);
        receiver = &pair.job->processes[1];
        queue = &receiver->communicators[0].queues[mq_unexpected];
        if (CHECK_INT(queue->count, 2)) {
            CHECK_INT(receiver->operations[queue->first].desired_tag,
                      tags[i][0]);
            CHECK_INT(receiver->operations[queue->first + 1].desired_tag,
                      tags[i][1]);
        }
        mq_job_destroy(pair.job);
    }
}

/* What one rank's digest and the other's hold is settled where they meet. */
static void check_digests(void)
{
    struct pair pair = { .sent = { .peer = 1, .tag = 5, .sent = 3 },
                         .received = { .peer = 0, .tag = 5, .received = 1 } };
    struct mq_job *all;
    struct mq_error error;
    int rank, again;

    test("ranks of different digests");
    CHECK_INT(mq_job_create(&error, &all), mq_ok);
    for (rank = 0; rank < 2; rank++) {
        char *text = NULL;
        size_t length;
        FILE *stream = open_memstream(&text, &length);

        CHECK_INT(mq_job_create(&error, &pair.job), mq_ok);
        add(&pair, rank, rank == 0 ? &pair.sent : &pair.received);
        CHECK_INT(mq_tallies_apply(pair.job, &error), mq_ok);
        CHECK_INT(mq_digest_write(pair.job, stream, &error), mq_ok);
        fclose(stream);
        stream = fmemopen(text, length, "r");
        CHECK_INT(mq_digest_read_stream("digest", stream, all, &error),
                  mq_ok);
        fclose(stream);
        free(text);
        mq_job_destroy(pair.job);
    }
    for (again = 0; again < 2; again++) {
        CHECK_INT(mq_tallies_apply(all, &error), mq_ok);
        CHECK_INT(all->processes[1].communicators[0].queues[mq_unexpected]
                  .count, 2);
    }
    mq_job_destroy(all);
}

int main(void)
{
    struct mq_tally three = TALLY(1, 5, 3, 0);

    check("all have come", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 3) }, 0, mq_ok);
    check("two are under way", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 1) }, 2, mq_ok);
    check("one of them is a send that is listed", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 1), .listed = 1 },
          2, mq_ok);
    check("a receive takes the first of three", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 0), .listed = 3,
          .posted = 1, .matched_sends = 1, .matched_receives = 1 }, 2, mq_ok);
    check("the second of two receives gets nothing", (struct pair){
          .sent = TALLY(1, 5, 1, 0), .received = TALLY(0, 5, 0, 0),
          .posted = 2, .listed = 1, .matched_sends = 1,
          .matched_receives = 1 }, 0, mq_ok);
    check("a listed send has been received", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 3), .listed = 1,
          .matched_sends = 1 }, 0, mq_ok);
    check("it cannot be told which of two a receive takes", (struct pair){
          .sent = TALLY(1, 5, 2, 0), .received = TALLY(0, 5, 0, 0),
          .listed = 1, .posted = 1, .matched_receives = 1 }, 0, mq_ok);
    check("a receive from anybody may take what is listed", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 1), .listed = 1,
          .posted = 1, .is_wild = true }, 1, mq_ok);
    check("what came with another tag does not count", (struct pair){
          .sent = three, .received = TALLY(0, 6, 0, 3) }, 3, mq_ok);
    check("more came than was sent: it was read before", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 9) }, 0, mq_ok);
    check("the receiver has moved", (struct pair){
          .sent = three, .received = TALLY(0, 5, 0, 1),
          .movement = mq_moved }, 0, mq_ok);
    check("tags of the receiver were counted together", (struct pair){
          .sent = three, .received = TALLY(0, -2, 0, 1) }, 0, mq_absent);
    check("tags of the sender were counted together", (struct pair){
          .sent = TALLY(1, -2, 3, 0), .received = TALLY(0, 5, 0, 1) },
          0, mq_absent);
    check("a thousand are shown as a few", (struct pair){
          .sent = TALLY(1, 5, 1000, 0), .received = TALLY(0, 5, 0, 0) },
          64, mq_ok);
    check("all of folded tags have come", (struct pair){
          .sent = { .peer = 1, .tag = -2, .sent = 2, .sent_tags = { 9, 53 } },
          .received = { .tag = -2, .received = 2,
                        .received_tags = { 9, 53 } } }, 0, mq_ok);
    check("one of folded tags is under way", (struct pair){
          .sent = { .peer = 1, .tag = -2, .sent = 4,
                    .sent_tags = { 19, 103 } },
          .received = { .tag = -2, .received = 3,
                        .received_tags = { 14, 78 } } }, 1, mq_ok);
    check("and only the receiver folds", (struct pair){
          .sent = three, .received = { .tag = -2, .received = 2,
                                       .received_tags = { 10, 50 } } },
          1, mq_ok);
    check("three of one tag", (struct pair){
          .sent = { .peer = 1, .tag = -2, .sent = 4,
                    .sent_tags = { 22, 124 } },
          .received = { .tag = -2, .received = 1,
                        .received_tags = { 7, 49 } } }, 3, mq_ok);
    check("three of several tags", (struct pair){
          .sent = { .peer = 1, .tag = -2, .sent = 3,
                    .sent_tags = { 15, 77 } },
          .received = { .tag = -2 } }, 0, mq_absent);
    check_two_tags();
    check_digests();
    return tests_end();
}
