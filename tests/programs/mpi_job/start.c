/* start.c - start of ranks, and reports to a debugger
 *
 * Compiled with PARTIAL_ATTACH, only the first process waits at the gate and
 * lets the others go; with PRE_MAIN, the ranks that a debugger shall find stop
 * before their main; with STARTER, the first process says that it is no rank.
 * A debugger asks only whether the symbols for these are there.  Compiled with
 * MPI2DD, it all happens in the way of the MPI-2 draft.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpi_job.h"
#include "mpir_variables.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

MPIR_PROCDESC *MPIR_proctable;
int MPIR_proctable_size;
volatile int MPIR_debug_state;
volatile int MPIR_debug_gate;
volatile int MPIR_being_debugged;
char *MPIR_debug_abort_string;
char MPIR_dll_name[512];

#ifdef STARTER
int MPIR_i_am_starter;
#endif
#ifdef PRE_MAIN
int MPIR_acquired_pre_main;
enum { pre_main = 1 };

/* In a rank that was started by exec. */
__attribute__((__constructor__)) static void stop_before_main(void)
{
    if (getenv("JOB_RANK") != NULL && getenv("JOB_DEBUGGED") != NULL)
        raise(SIGSTOP);
}
#else
enum { pre_main = 0 };
#endif
#ifdef MPI2DD
enum { by_directory = 1 };
#else
enum { by_directory = 0 };
#define directory_publish(table, count)
#define directory_join()
#define directory_abort(why)
#define directory_is_debugged() 0
#define directory_gate() 0
#endif
#ifdef PARTIAL_ATTACH
int MPIR_partial_attach_ok;
enum { partial_attach = 1 };
#else
enum { partial_attach = 0 };
#endif

static MPIR_PROCDESC table[max_ranks];
static int first_started;

/* A debugger stops here and looks at MPIR_debug_state. */
__attribute__((__noinline__)) void MPIR_Breakpoint(void)
{
    __asm__ volatile ("");
}

static int is_debugged(void)
{
    return MPIR_being_debugged || job_options.wait ||
           directory_is_debugged() || getenv("JOB_DEBUGGED") != NULL;
}

/* In the new process.  It ends with the one that started it. */
static void become(int rank, char *const *command)
{
    char text[12];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm((unsigned)job_options.seconds);
    if (command == NULL) {
        if (pre_main && is_debugged())
            raise(SIGSTOP);
        return;
    }
    snprintf(text, sizeof text, "%d", rank);
    setenv("JOB_RANK", text, 1);
    if (MPIR_being_debugged)
        setenv("JOB_DEBUGGED", "1", 1);
    execv(command[0], command);
    perror(command[0]);
    _exit(3);
}

static void describe(int rank, int pid, const char *program)
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    table[rank].host_name = strdup(host);
    table[rank].executable_name = strdup(program);
    table[rank].pid = pid;
}

int start_ranks(int first, char *const *command)
{
    const char *program = command != NULL ? command[0] : job_options.program;
    int rank;

    while (job_options.hold != NULL && access(job_options.hold, F_OK) == 0)
        poll(NULL, 0, 10);
    for (rank = 0; rank < job_options.ranks; rank++)
        mail_make(rank);
    mail_make(starter_mailbox);
    mail_make(gate_mailbox);
    first_started = first;
    if (first > 0)
        describe(0, getpid(), program);
    fflush(NULL);
    for (rank = first; rank < job_options.ranks; rank++) {
        int pid = fork();

        if (pid < 0) {
            perror("job: fork");
            exit(3);
        }
        if (pid == 0) {
            become(rank, command);
            first_started = job_options.ranks;
            return rank;
        }
        describe(rank, pid, program);
    }
    return first - 1;
}

/* Whoever is told of processes that stop before their main finds them so. */
static void wait_until_stopped(void)
{
    int rank, status;

    for (rank = first_started; rank < job_options.ranks; rank++)
        while (waitpid(table[rank].pid, &status, WUNTRACED) < 0)
            continue;
}

static void wait_at_gate(void)
{
    while (by_directory ? !directory_gate() : !MPIR_debug_gate)
        poll(NULL, 0, 10);
}

void start_publish(int i_am_a_rank)
{
    struct mail go = { 0 };
    int rank;

    if (pre_main && is_debugged())
        wait_until_stopped();
    if (by_directory) {
        directory_publish(table, job_options.ranks);
    } else {
        MPIR_proctable = table;
        MPIR_proctable_size = job_options.ranks;
        MPIR_debug_state = MPIR_DEBUG_SPAWNED;
        MPIR_Breakpoint();
    }
    if (!partial_attach || !is_debugged())
        return;
    wait_at_gate();
    go.kind = mail_go;
    for (rank = i_am_a_rank; rank < job_options.ranks; rank++)
        mail_send(gate_mailbox, &go, NULL);
}

/* Each rank takes one packet from the gate's own mailbox. */
void start_wait_for_gate(void)
{
    struct mail mail;
    char part[mail_most];

    directory_join();
    if (!is_debugged())
        return;
    if (!partial_attach && getenv("JOB_PARTIAL") == NULL) {
        wait_at_gate();
        return;
    }
    mail_open(gate_mailbox);
    while (!mail_take(1000, &mail, part))
        continue;
}

void start_tell_abort(const char *why)
{
    if (by_directory) {
        directory_abort(why);
    } else {
        MPIR_debug_abort_string = strdup(why);
        MPIR_debug_state = MPIR_DEBUG_ABORTING;
        MPIR_Breakpoint();
    }
}

void start_abort(const char *why, int code)
{
    int rank;

    if (!job_options.speaks)
        start_tell_abort(why);
    for (rank = first_started; rank < job_options.ranks; rank++)
        kill(table[rank].pid, SIGKILL);
    start_wait_for_ranks();
    fprintf(stderr, "%s\n", why);
    exit(code);
}

void start_wait_for_ranks(void)
{
    while (start_ranks_run())
        poll(NULL, 0, 10);
}

int start_ranks_run(void)
{
    int rank, running = 0;

    for (rank = first_started; rank < job_options.ranks; rank++)
        running += waitpid(table[rank].pid, NULL, WNOHANG) == 0;
    return running > 0;
}
