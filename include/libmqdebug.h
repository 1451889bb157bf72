/* libmqdebug.h - library for the analysis of hung MPI jobs
 *
 * All that libmqdebug offers.  Processes are read into a job, one after the
 * other, each with what mqdump would show of it; then the job can be looked
 * through, analysed as a whole, and written as a report.
 *
 * Structs are known by pointers only.  What a function gives belongs to the job
 * and lives as long as that does.  A job is used by one thread at a time.
 * Functions that can fail give 0, or -1 if they fail: mqdebug_error gives the
 * reason.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef LIBMQDEBUG_H
#define LIBMQDEBUG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mqdebug_job mqdebug_job;
typedef struct mq_process mqdebug_process;
typedef struct mq_communicator mqdebug_communicator;
typedef struct mq_operation mqdebug_operation;

/* The version of the library, as "1.0". */
const char *mqdebug_version(void);

/* ---- Jobs ---------------------------------------------------------------- */

/* An empty job; null if there is no memory. */
mqdebug_job *mqdebug_job_create(void);

/* JOB may be null. */
void mqdebug_job_destroy(mqdebug_job *job);

/* What the latest function that failed says of it: a sentence without a full
 * stop, or "" if none did.  The next failure overwrites it.
 */
const char *mqdebug_error(const mqdebug_job *job);

/* Has processes be read with the message-queue DLL in FILE, which the caller
 * trusts, and with no other; null: with the one that fits each.
 */
int mqdebug_job_use_dll(mqdebug_job *job, const char *file);

/* Adds the process that is recorded in FILE, or all that are in a digest. */
int mqdebug_job_add_file(mqdebug_job *job, const char *file);

/* Adds process PID of this host, which is stopped meanwhile.  It is looked at
 * once, so that nobody knows if it moves: what depends on that is not certain.
 */
int mqdebug_job_add_process(mqdebug_job *job, int pid);

/* Adds the core file CORE that PROGRAM left. */
int mqdebug_job_add_core(mqdebug_job *job, const char *program,
                         const char *core);

/* Writes the job to STREAM in one of mqdump's formats: "text", "json", "csv",
 * "svg", "html", "raw", or as a "digest"; or the merged stacks of all ranks, as
 * "stacks".  The analysis of all processes together is made when this or
 * mqdebug_job_analyse is called first: no processes can be added then.  Write
 * errors are left to the stream.
 */
int mqdebug_job_write(mqdebug_job *job, const char *format, FILE *stream);

/* Processes, in the order that they were added; null beyond the last one. */
size_t mqdebug_process_count(const mqdebug_job *job);
const mqdebug_process *mqdebug_process_at(const mqdebug_job *job,
                                          size_t index);

/* ---- Processes ----------------------------------------------------------- */

/* Where it was found, as "process 4711", and its executable. */
const char *mqdebug_process_name(const mqdebug_process *process);
const char *mqdebug_process_image(const mqdebug_process *process);

/* Its rank in MPI_COMM_WORLD; -1 if that is not known. */
int mqdebug_process_rank(const mqdebug_process *process);

/* The MPI function that it is in; "-" if in none, null if not known. */
const char *mqdebug_process_call(const mqdebug_process *process);

/* What is to be known of it beside, in sentences; null beyond the last.
 * *IS_ERROR, if that is no null pointer, is set to whether what is shown may be
 * incomplete.
 */
const char *mqdebug_process_remark(const mqdebug_process *process, size_t index,
                                   int *is_error);

size_t mqdebug_communicator_count(const mqdebug_process *process);
const mqdebug_communicator *mqdebug_communicator_at(
    const mqdebug_process *process, size_t index);

/* ---- Communicators ------------------------------------------------------- */

const char *mqdebug_communicator_name(const mqdebug_communicator *);

/* The process's own rank in it, and how many ranks it has. */
int64_t mqdebug_communicator_rank(const mqdebug_communicator *);
int64_t mqdebug_communicator_size(const mqdebug_communicator *);

/* The rank in MPI_COMM_WORLD of a LOCAL rank; -1 if that is not known. */
int mqdebug_communicator_member(const mqdebug_communicator *, int64_t local);

enum mqdebug_queue {
    MQDEBUG_SENDS,
    MQDEBUG_RECEIVES,
    MQDEBUG_UNEXPECTED          /* messages that nobody has asked for yet */
};

/* Whether what a queue holds is known: 0 if it is, 1 if the DLL does not know,
 * -1 if an error left some of it out.
 */
int mqdebug_queue_state(const mqdebug_communicator *, enum mqdebug_queue queue);

size_t mqdebug_operation_count(const mqdebug_communicator *,
                               enum mqdebug_queue queue);

/* An operation of a queue of a communicator of PROCESS; null beyond them. */
const mqdebug_operation *mqdebug_operation_at(const mqdebug_process *process,
                                              const mqdebug_communicator *,
                                              enum mqdebug_queue queue,
                                              size_t index);

/* ---- Operations ---------------------------------------------------------- */

enum mqdebug_status {
    MQDEBUG_PENDING,
    MQDEBUG_MATCHED,
    MQDEBUG_COMPLETE
};

enum mqdebug_status mqdebug_operation_status(const mqdebug_operation *);

/* The peer's rank in the communicator, and in MPI_COMM_WORLD: -1 if it may be
 * any or, in MPI_COMM_WORLD, if that is not known.
 */
int64_t mqdebug_operation_peer(const mqdebug_operation *);
int64_t mqdebug_operation_peer_in_world(const mqdebug_operation *);

/* Whether it takes any tag; else which. */
int mqdebug_operation_takes_any_tag(const mqdebug_operation *);
int64_t mqdebug_operation_tag(const mqdebug_operation *);

/* The bytes that it is for, -1 if that is not known, and where they are in the
 * process.
 */
int64_t mqdebug_operation_bytes(const mqdebug_operation *);
uint64_t mqdebug_operation_buffer(const mqdebug_operation *);

/* ---- Verdicts ------------------------------------------------------------ */

typedef struct mqdebug_cause mqdebug_cause;
typedef struct mqdebug_reason mqdebug_reason;
typedef struct mq_frame mqdebug_frame;

/* The caller vouches that no process has moved since the first one was added,
 * as with mqdump's --still.  Comes before the job is analysed.
 */
int mqdebug_job_assume_still(mqdebug_job *job);

/* Finds out why the job does not go on.  The functions below describe it;
 * before, the verdict is not known, and there is nothing else.  Sentences are
 * without the last full stop, and harmless to a terminal.
 */
int mqdebug_job_analyse(mqdebug_job *job);

enum mqdebug_verdict {
    MQDEBUG_NONE,               /* nobody waits for long, as far as can be
                                   seen */
    MQDEBUG_HELD_UP,            /* ranks wait for one that runs or polls */
    MQDEBUG_UNKNOWN,            /* something that is needed is not known */
    MQDEBUG_POSSIBLE,           /* ranks may wait for each other */
    MQDEBUG_STUCK,              /* ranks wait for one that never answers */
    MQDEBUG_DEADLOCK            /* ranks wait for each other */
};

enum mqdebug_verdict mqdebug_job_verdict(const mqdebug_job *job);

/* The verdict with its cause, as mqdump begins with; and what proves that ranks
 * are stuck.  Null: there is none.
 */
const char *mqdebug_job_headline(const mqdebug_job *job);
const char *mqdebug_job_proof(const mqdebug_job *job);

/* The ranks at which chains of waiting end, the worst first; null beyond. */
size_t mqdebug_cause_count(const mqdebug_job *job);
const mqdebug_cause *mqdebug_cause_at(const mqdebug_job *job, size_t index);

enum mqdebug_kind {
    MQDEBUG_CAUSE_DEADLOCK,     /* they wait for each other */
    MQDEBUG_CAUSE_STUCK,        /* they will never answer */
    MQDEBUG_CAUSE_UNKNOWN,      /* they were not added or not read */
    MQDEBUG_CAUSE_HELD_UP       /* they run, poll or move */
};

enum mqdebug_kind mqdebug_cause_kind(const mqdebug_cause *);

/* Whether it is proved that they are stuck, or of other kinds that some wait
 * for them.
 */
int mqdebug_cause_is_certain(const mqdebug_cause *);
const char *mqdebug_cause_text(const mqdebug_cause *);

/* The ranks that are the cause, those that wait for them, as certainly as it is
 * one, and of a certain cause those that only perhaps wait for them; each
 * ascending, -1 beyond the last.
 */
int mqdebug_cause_rank(const mqdebug_cause *, size_t index);
int mqdebug_cause_waiter(const mqdebug_cause *, size_t index);
int mqdebug_cause_possible_waiter(const mqdebug_cause *, size_t index);

/* The evidence that a verdict lacks to be certain, in the order of mqdump's
 * report; null beyond the last.
 */
size_t mqdebug_reason_count(const mqdebug_job *job);
const mqdebug_reason *mqdebug_reason_at(const mqdebug_job *job, size_t index);

/* For programs, as "sampled-once"; the sentence, with the remedy; and the
 * remedy alone.
 */
const char *mqdebug_reason_name(const mqdebug_reason *);
const char *mqdebug_reason_text(const mqdebug_reason *);
const char *mqdebug_reason_remedy(const mqdebug_reason *);

/* The ranks that it is about, ascending; -1 beyond the last. */
int mqdebug_reason_rank(const mqdebug_reason *, size_t index);

/* ---- Stacks -------------------------------------------------------------- */

/* The threads of a process, the one that represents it first, and their
 * functions from the innermost out, as far as they are known; null beyond the
 * last.
 */
size_t mqdebug_thread_count(const mqdebug_process *process);
const mqdebug_frame *mqdebug_frame_at(const mqdebug_process *process,
                                      size_t thread, size_t index);

/* Null or 0 if it is not known. */
const char *mqdebug_frame_function(const mqdebug_frame *);
const char *mqdebug_frame_file(const mqdebug_frame *);
int mqdebug_frame_line(const mqdebug_frame *);

/* Whether it is the MPI library's own. */
int mqdebug_frame_is_mpi(const mqdebug_frame *);

#ifdef __cplusplus
}
#endif

#endif
