/* proc_stat.h - reader of /proc/PID/stat
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PROC_STAT_H
#define MQ_PROC_STAT_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Opens /proc/PID/NAME of this host for reading; null: it cannot be. */
FILE *mq_proc_open(int pid, const char *name);

/* As in proc(5); numbers that are missing are 0, but for the memory. */
struct mq_proc_stat {
    char state;                 /* 'R': on a processor, or wants to be */
    int parent;
    uint64_t ticks;             /* of processor time that it has used */
    uint64_t threads;           /* of its process */
    uint64_t start;             /* ticks from the system's to its own */
    uint64_t memory;            /* bytes; 0: it ends, or is the system's */
    int status;                 /* of one that has ended, as waitpid gives it;
                                   0: not known */
    bool ends;                  /* it was killed, or has begun to end */
};

/* That of a process or thread of this host, or of a process in the folder PROC;
 * false, and *STAT untouched, if it cannot be read.
 */
bool mq_proc_stat_read(int number, struct mq_proc_stat *stat);
bool mq_proc_stat_read_in(const char *proc, int pid, struct mq_proc_stat *stat);

/* The state of a process or thread of this host; '\0' if it is not known. */
char mq_proc_state(int number);

/* The name that a process of this host gives itself; empty: not known. */
void mq_proc_name(int pid, char name[16]);

/* The processor time of a thread of this host, and the time that it waited for
 * processors until it last got one; false, and *SCHED untouched, if the kernel
 * does not count that.
 */
struct mq_proc_sched {
    double used, waited;        /* seconds */
    double slices;              /* how often it was given one */
};

bool mq_proc_sched_read(int thread, struct mq_proc_sched *sched);

/* Whether there is no process PID on this host, or only what its parent has not
 * looked at yet, or what the system has yet to do as it ends.  One whose first
 * thread alone has ended goes on.
 */
bool mq_proc_has_ended(int pid);

/* How a process ended that its parent has not looked at yet, "its process was
 * killed by signal 9"; false, and TEXT untouched, if that is not known.
 */
bool mq_proc_end_words(int pid, size_t room, char *text);

/* The parent of a process in the folder PROC; 0 if it is not known, as for one
 * that has ended.
 */
int mq_proc_parent(const char *proc, int pid);

/* The threads of process PID, which is in the folder PROC or of this host, one
 * after the other; 0 behind the last one.  Null, which has none and can be
 * ended, if they cannot be read.
 */
DIR *mq_proc_threads_of(const char *proc, int pid);
DIR *mq_proc_threads(int pid);
int mq_proc_next_thread(DIR *);
void mq_proc_end_threads(DIR *);

/* A thread of process PID of this host that is in state D now; 0: none is. */
int mq_proc_thread_in_kernel(int pid);

#endif
