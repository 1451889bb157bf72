/* steps.c - ranks that execute a script and stop
 *
 * usage: steps SCRIPT FOLDER
 *
 * A line of the script is one step, which all ranks have done before the next:
 *
 *     send FROM TO COMM TAG BYTES     begins a send, world ranks
 *     ssend FROM TO COMM TAG BYTES    a synchronous one
 *     receive AT FROM COMM TAG        begins a receive; -1 for any
 *     stop N                          each rank makes FOLDER/N.RANK, with the
 *                                     number of its process, and waits until
 *                                     there is FOLDER/N.go
 *
 * COMM is 0 for MPI_COMM_WORLD, 1 for a copy, 2 for all ranks in reverse order,
 * 3 for those that are even or odd.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { most_bytes = 1 << 20, most_requests = 10000, communicators = 4 };

static char sent[most_bytes], received[most_bytes];
static MPI_Comm comms[communicators], meeting;
static MPI_Request requests[most_requests];
static int request_count, rank;

/* A rank of MPI_COMM_WORLD in another communicator. */
static int translate(int world_rank, MPI_Comm comm)
{
    MPI_Group world, group;
    int local;

    if (world_rank < 0)
        return MPI_ANY_SOURCE;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &group);
    MPI_Group_translate_ranks(world, 1, &world_rank, group, &local);
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    return local;
}

/* What was sent before has arrived then, and what is complete is collected. */
static void meet(void)
{
    int count, indices[most_requests];
    static MPI_Status statuses[most_requests];

    for (int turn = 0; turn < 2; turn++) {
        MPI_Barrier(meeting);
        for (int i = 0; i < 20; i++) {
            int flag;

            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, meeting, &flag,
                       MPI_STATUS_IGNORE);
            usleep(50);
        }
        MPI_Testsome(request_count, requests, &count, indices,
                     statuses);
    }
}

static void stop(const char *folder, const char *number)
{
    char name[4096];
    FILE *file;

    snprintf(name, sizeof name, "%s/%s.%d", folder, number, rank);
    file = fopen(name, "w");
    if (file == NULL || fprintf(file, "%d\n", (int)getpid()) < 0
        || fclose(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    snprintf(name, sizeof name, "%s/%s.go", folder, number);
    while (access(name, F_OK) != 0)
        usleep(2000);
}

static void step(const char *line, const char *folder)
{
    char word[16], number[16];
    int from, to, comm, tag, bytes;
    MPI_Request *request = &requests[request_count];

    if (request_count == most_requests || sscanf(line, "%15s", word) != 1)
        MPI_Abort(MPI_COMM_WORLD, 4);
    if (sscanf(line, "stop %15s", number) == 1) {
        stop(folder, number);
    } else if (sscanf(line, "receive %d %d %d %d", &to, &from, &comm, &tag)
               == 4) {
        if (to == rank)
            MPI_Irecv(received, most_bytes, MPI_CHAR,
                      translate(from, comms[comm]),
                      tag < 0 ? MPI_ANY_TAG : tag, comms[comm], request);
        request_count += to == rank;
    } else if (sscanf(line, "%*s %d %d %d %d %d", &from, &to, &comm, &tag,
                      &bytes) == 5 && from == rank) {
        (word[1] == 's' ? MPI_Issend : MPI_Isend)(
            sent, bytes, MPI_CHAR, translate(to, comms[comm]), tag,
            comms[comm], request);
        request_count++;
    }
}

int main(int argc, char **argv)
{
    char line[100];
    FILE *script = argc == 3 ? fopen(argv[1], "r") : NULL;

    alarm(300);
    MPI_Init(&argc, &argv);
    if (script == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &meeting);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comms[3]);
    MPI_Comm_set_name(comms[0], "comm 0");
    MPI_Comm_set_name(comms[1], "comm 1");
    MPI_Comm_set_name(comms[2], "comm 2");
    MPI_Comm_set_name(comms[3], "comm 3");
    MPI_Comm_set_name(meeting, "meeting");
    while (fgets(line, sizeof line, script) != NULL) {
        step(line, argv[2]);
        meet();
    }
    MPI_Abort(MPI_COMM_WORLD, 0);
    return 0;
}
