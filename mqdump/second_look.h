/* second_look.h - whether processes have moved since they were read
 *
 * A process that counts its MPI calls is not stopped for that: a call in which
 * it was, and a count that is the same, prove that the call has not returned.
 */
#ifndef MQ_SECOND_LOOK_H
#define MQ_SECOND_LOOK_H

#include "job/job.h"

/* Looks at the count of the process PID of this host again, SECONDS after it
 * was read, and notes its movement in PROCESS.  Nothing is noted of a process
 * that does not count, or cannot be looked at.
 */
void mq_second_look(struct mq_process *process, int pid, double seconds);

#endif
