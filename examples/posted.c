/* posted.c - lists the posted receives of a recorded process
 *
 *     cc posted.c $(pkg-config --cflags --libs libmqdebug)
 *     ./a.out SNAPSHOT [DLL]
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <inttypes.h>
#include <stdio.h>

#include <libmqdebug.h>

static void print_queue(const mqdebug_process *process,
                        const mqdebug_communicator *comm)
{
    const mqdebug_operation *it;
    size_t i;

    for (i = 0; (it = mqdebug_operation_at(process, comm, MQDEBUG_RECEIVES, i))
                != NULL; i++)
        printf("rank %d: tag %" PRId64 " from %" PRId64 " on %s\n",
               mqdebug_process_rank(process), mqdebug_operation_tag(it),
               mqdebug_operation_peer_in_world(it),
               mqdebug_communicator_name(comm));
}

static void print(const mqdebug_process *process)
{
    size_t i;

    for (i = 0; i < mqdebug_communicator_count(process); i++)
        print_queue(process, mqdebug_communicator_at(process, i));
}

int main(int argc, char **argv)
{
    mqdebug_job *job = mqdebug_job_create();
    int failed;

    if (job == NULL || argc < 2 || argc > 3) {
        fprintf(stderr, "usage: posted SNAPSHOT [DLL]\n");
        mqdebug_job_destroy(job);
        return 2;
    }
    failed = mqdebug_job_use_dll(job, argv[2])
             || mqdebug_job_add_file(job, argv[1]);
    if (failed)
        fprintf(stderr, "%s\n", mqdebug_error(job));
    else
        print(mqdebug_process_at(job, 0));
    mqdebug_job_destroy(job);
    return failed;
}
