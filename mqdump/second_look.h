/* second_look.h - whether processes have moved since they were read
 *
 * A process that counts its MPI calls is not stopped for that: a call in which
 * it was, and a count that is the same, prove that the call has not returned.
 */
#ifndef MQ_SECOND_LOOK_H
#define MQ_SECOND_LOOK_H

#include <stdbool.h>

#include "job/job.h"

/* Reads from process PID of this host, which runs, how many calls have returned
 * and the address of the name of the one that it is in, 0 for none; false if it
 * cannot be read.
 */
bool mq_second_look_read(int pid, uint64_t counter_at, uint64_t *call,
                         uint64_t *counter);

/* Looks at the count of the process PID of this host again, SECONDS after it
 * was read, and notes its movement in PROCESS.  Nothing is noted of a process
 * that does not count, or cannot be looked at.
 */
void mq_second_look(struct mq_process *process, int pid, double seconds);

#endif
