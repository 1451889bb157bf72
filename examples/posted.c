/* posted - the receives that a recorded process has posted
 *
 *     cc posted.c $(pkg-config --cflags --libs libmqdebug)
 *     ./a.out SNAPSHOT DLL
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <inttypes.h>
#include <stdio.h>

#include "dll/walk.h"
#include "target/snapshot.h"

static void print(const struct mq_process *process)
{
    size_t i, j;

    for (i = 0; i < process->communicator_count; i++) {
        const struct mq_communicator *comm = &process->communicators[i];
        const struct mq_queue *queue = &comm->queues[mq_receives];

        for (j = queue->first; j < queue->first + queue->count; j++)
            printf("rank %d: tag %" PRId64 " from %" PRId64 " on %s\n",
                   process->rank, process->operations[j].desired_tag,
                   process->operations[j].desired_global, comm->name);
    }
}

static enum mq_result walk(struct mq_dll *dll, struct mq_target *target,
                           struct mq_job *job, struct mq_error *error)
{
    mqs_image *image;
    mqs_process *process;
    enum mq_result result = mq_dll_image_create(dll, target, error, &image);

    if (result != mq_ok)
        return result;
    result = mq_dll_process_create(image, target, error, &process);
    if (result == mq_ok) {
        result = mq_dll_process_walk(process, job, error);
        mq_dll_process_destroy(process);
    }
    mq_dll_image_destroy(image);
    return result;
}

int main(int argc, char **argv)
{
    struct mq_error error = { "usage: posted SNAPSHOT DLL" };
    struct mq_target *target = NULL;
    struct mq_dll *dll = NULL;
    struct mq_job *job = NULL;
    int failed = argc != 3 || mq_snapshot_open(argv[1], &error, &target)
                 || mq_dll_load(argv[2], &error, &dll)
                 || mq_job_create(&error, &job)
                 || walk(dll, target, job, &error);

    if (failed)
        fprintf(stderr, "%s\n", error.text);
    else
        print(&job->processes[0]);
    mq_job_destroy(job);
    mq_dll_unload(dll);
    mq_target_destroy(target);
    return failed;
}
