/* reused.c - reuse of a handle while it is freed
 *
 * With held_free.c: while MPI_Comm_free is done and has not returned, another
 * thread duplicates a communicator; MPICH gives it the handle of the freed one.
 * Prints whether it did.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t freed, duplicated;
static MPI_Comm copies[2];
static __thread bool is_held_up;

/* Called by held_free.c. */
void after_comm_free(void)
{
    if (!is_held_up)
        return;
    pthread_barrier_wait(&freed);
    pthread_barrier_wait(&duplicated);
}

static void *duplicate(void *comm)
{
    pthread_barrier_wait(&freed);
    MPI_Comm_dup(*(MPI_Comm *)comm, &copies[1]);
    pthread_barrier_wait(&duplicated);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;
    MPI_Comm self, gone;
    int provided, value = -1;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_barrier_init(&freed, NULL, 2);
    pthread_barrier_init(&duplicated, NULL, 2);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &copies[0]);
        gone = copies[0];
        pthread_create(&other, NULL, duplicate, &self);
        is_held_up = true;
        MPI_Comm_free(&copies[0]);
        is_held_up = false;
        pthread_join(other, NULL);
        if (i == 0)
            printf("%s\n", copies[1] == gone ? "reused" : "another one");
        MPI_Sendrecv(&i, 1, MPI_INT, 0, 5, &value, 1, MPI_INT, 0, 5, copies[1],
                     MPI_STATUS_IGNORE);
        if (value != i)
            exit(1);
        MPI_Comm_free(&copies[1]);
    }
    MPI_Finalize();
    return 0;
}
