/* digest.h - the mqdigest file format
 *
 * A digest holds what a walk returns: communicators with their groups as
 * runs of ranks, operations, and where each process is and what it waits for.
 * It is line based and ASCII.  Words are separated by one space; numbers are
 * decimal, addresses and ids 0x hex; TEXT goes to the end of the line, with
 * \xNN for a backslash and for each byte that is not printable ASCII.
 *
 *   mqdigest 3                    first line; the number is the version: the
 *                                 least one that has all lines below, from 3 on
 *   world SIZE TEXT               one of several MPI_COMM_WORLDs, before the
 *                                 first process: ranks below count through them
 *                                 in the order of these lines; its name
 *   name TEXT                     where the processes below were found
 *   image TEXT                    their executable
 *   group N RUN[,RUN...]          ranks in MPI_COMM_WORLD, for the lines below;
 *                                 N counts from 0; a run is FIRST, FIRST-LAST
 *                                 FIRST-LAST/STEP or RANKxTIMES; - for no
 *                                 ranks
 *   frame N FRAME                 the words of a frame as in stack.h, for the
 *                                 lines below; N counts from 0
 *   process RANK CALL             one more process; `?` where not known, CALL
 *                                 `-` outside MPI
 *   presence WORD                 it is gone or not-read
 *   looks COUNT SECONDS MOVEMENT  whether it moved, as in stack.h
 *   activity WHAT SHARE SINCE CALL
 *                                 what it does otherwise, as in activity.h
 *   thread CALL FIRST COUNT [LEFT AT]
 *                                 where its next thread is: in the COUNT frames
 *                                 from N = FIRST on; LEFT are missing in front
 *                                 of the one that AT precede
 *   argument NAME VALUE DEGREE    of the thread's call, as in stack.h
 *   means TEXT                    what MPI itself calls that argument's value,
 *                                 or the port's name that it is the address of
 *   number NUMBER                 of the thread, as in stack.h
 *   finalizer WHERE               that it runs, as in stack.h
 *   resource KIND HOLDER RANK PROCESS THREAD NAME ACTIVITY
 *                                 that it waits for, as in resource.h
 *   awaits WHAT COUNT             WHAT is nothing, all, any or collective;
 *                                 COUNT of what is awaited is on no queue
 *   sends MARK                    a request that is awaited, on no queue, and
 *                                 if a send has that mark, as in struct mq_mark
 *   home NUMBER                   by which MPI calls the process's own world;
 *                                 only before worlds are joined (worlds.h)
 *   answer TEXT                   the meaning of a handle that was asked for
 *   strangers COUNT               of its threads may call MPI at any time
 *   handler WHAT                  the worst that a signal handler of it may do:
 *                                 unknown, jumps or calls-mpi
 *   comm ID RANK SIZE GROUP TEXT  its next communicator: own rank in it, size,
 *                                 N of a group line or `?`, name
 *   handle KIND HANDLE            of the comm: unknown, intra or inter, and the
 *                                 program's handle, 0x0 if not known
 *   about TEXT                    of the comm: topology, attributes and so on
 *   members NUMBER FIRST COUNT    of the comm: its next members are of the
 *                                 world with that number, as in struct
 *                                 mq_members
 *   agreed ID ENTERED             of the comm: the same in all ranks; how many
 *                                 collective operations its rank has entered
 *   joined CALL ENTERED ROOT      of an agreed comm: the call that began a
 *                                 nonblocking collective operation that is
 *                                 awaited, as in struct mq_pending_collective
 *   past CALL ENTERED ROOT SIGNATURE [GIVEN TAKEN COUNT BYTES BEGAN] [ended]
 *                                 of an agreed comm: a collective operation
 *                                 that was entered, as in struct mq_collective
 *   at FRAME                      the words of the frame that made its call
 *   window                        the comm is a window, and all epochs of its
 *                                 rank there are below
 *   epoch PEER LOCK GRANT POSTED WAITED STARTED COMPLETED
 *                                 of a window: as in struct mq_epoch; PEER is
 *                                 a local rank or all, LOCK none, shared or
 *                                 exclusive, GRANT asked, returned or granted;
 *                                 an at line after it is of its lock
 *   tally PEER TAG SENT RECEIVED [SUM SQUARES SUM SQUARES]
 *                                 messages of the comm to and from local rank
 *                                 PEER, as counted and not settled yet
 *                                 (tallies.h); TAG as in struct mq_tally, and
 *                                 so are the sums of tags sent and received
 *   none QUEUE                    the DLL does not know this queue of it
 *   partial QUEUE                 this queue may lack operations
 *   QUEUE STATUS PEER TAG BYTES BUFFER [system] [nowhere] [stack]
 *       [awaited] [mark MARK] [got PEER TAG BYTES]
 *                                 its next operation; QUEUE is send, receive or
 *                                 unexpected, STATUS pending, matched or
 *                                 complete; PEER is LOCAL/GLOBAL, LOCAL/? or
 *                                 any; TAG can be any; nowhere: BUFFER is the
 *                                 address of nothing; stack: it is on no queue,
 *                                 but a thread's call; what was got is as asked
 *                                 for where it is not said; MARK is that of the
 *                                 send
 *   extra TEXT                    a line that the DLL adds to the operation
 *   request HANDLE                of the operation
 *   datatype TEXT                 of the operation, in words
 *   remark KIND WHERE TEXT        KIND is error or note, WHERE a queue of the
 *                                 last comm, comm for all of it, or process
 *   end                           last line; a file without it is truncated
 *
 * A line that begins with # is a comment.  A communicator's operations of one
 * queue are contiguous, in the order in which MPI matches.  Version 1 lacks
 * what is about threads, looks and what is awaited, version 2 strangers,
 * agreed, joined and tally, version 3 world and means, version 4 past, at, sums
 * of tags and activity, version 5 sends and mark, version 6 handler, version 7
 * number, finalizer, resource, window and epoch, version 8 home, answer,
 * handle, about, members, request, datatype and names of ports; all are read
 * too.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DIGEST_H
#define MQ_DIGEST_H

#include <stdio.h>

#include "model/job.h"

enum {
    mq_digest_version = 9,             /* and 1 to 8 are read too */
    mq_digest_most_ranks = 1 << 24,     /* ranks are below it, and groups not
                                           larger */
    mq_digest_most_work = 1 << 28       /* with all groups together */
};

/* The cost of a run of a group's ranks: as many steps as it has ranks, but only
 * one if these follow each other.
 */
size_t mq_digest_run_work(const struct mq_run *);

/* What WHAT and WORD above can be, by enum mq_awaiting and mq_presence. */
extern const char *const mq_awaiting_names[mq_awaiting_collective + 1];
extern const char *const mq_presence_names[mq_not_read + 1];
extern const char *const mq_kind_names[mq_kind_inter + 1];

/* Writes all processes of the job.  Write errors are left to ferror; running
 * out of memory is an error, and so is a job that could not be read back.
 */
enum mq_result mq_digest_write(const struct mq_job *, FILE *,
                               struct mq_error *);

/* Adds the processes of the digest FILE to JOB.  Whatever is wrong with it is
 * refused with a sentence that begins with "FILE:LINE: "; the job may then hold
 * some of its processes.
 */
enum mq_result mq_digest_read(const char *file, struct mq_job *job,
                              struct mq_error *);

/* The same from a stream that is called FILE in messages. */
enum mq_result mq_digest_read_stream(const char *file, FILE *,
                                     struct mq_job *job, struct mq_error *);

#endif
