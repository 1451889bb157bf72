/* startup.c - hangs in MPI_Init and MPI_Finalize, by name
 *
 * usage: startup NAME
 *
 * Those of ranks.h have begun MPI already.  A rank is known by its environment
 * here.  No process lasts longer than 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ranks.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static int count;
static char **words;

static int own_place(void)
{
    const char *names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) != NULL)
            return atoi(getenv(names[i]));
    return 0;
}

/* ---- What a rank does instead ------------------------------------------ */

static void load_config(void)
{
    char byte;
    int ends[2];

    if (pipe(ends) == 0 && read(ends[0], &byte, 1) < 0)
        exit(3);
}

static void compute(void)
{
    for (time_t end = time(NULL) + 60; time(NULL) < end;)
        for (volatile unsigned i = 0; i < 100000000; i++)
            ;
}

static void wait_for_child(void)
{
    pid_t child = fork();

    if (child == 0)
        for (;;)
            pause();
    waitpid(child, NULL, 0);
}

static void wait_for_lock(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}

static void stop(void)
{
    raise(SIGSTOP);
}

/* ---- Hangs ------------------------------------------------------------- */

static void begin(void)
{
    MPI_Init(&count, &words);
    find_place();
}

static void end(void)
{
    MPI_Finalize();
}

static void begin_without(void (*instead)(void))
{
    if (own_place() == 1)
        instead();
    begin();
    end();
}

static void init_read(void) { begin_without(load_config); }
static void init_child(void) { begin_without(wait_for_child); }
static void init_lock(void) { begin_without(wait_for_lock); }
static void init_stopped(void) { begin_without(stop); }

static void init_thread(void)
{
    int level;

    if (own_place() == 1)
        load_config();
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &level);
    end();
}

static void init_two(void)
{
    if (own_place() > 0)
        load_config();
    begin();
    end();
}

static void finalize_read(void)
{
    begin();
    if (rank == 1)
        load_config();
    end();
}

static void finalize_lock(void)
{
    begin();
    if (rank == 1)
        wait_for_lock();
    end();
}

static void finalize_receive(void)
{
    int number;

    begin();
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end();
}

static int stay(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    load_config();
    return MPI_SUCCESS;
}

static void finalize_stays(void)
{
    int key;

    begin();
    if (rank == 1) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stay, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    }
    end();
}

/* A child is the same program with the word child. */
static void spawn(const char *name, int children)
{
    MPI_Comm parent, inter;
    char *arguments[] = { (char *)name, NULL };

    begin();
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(words[0], arguments, children, MPI_INFO_NULL, 0,
                       MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
    end();
}

static void child_read(void)
{
    load_config();
    begin();
    end();
}

static void child_one(void)
{
    if (own_place() == 1)
        load_config();
    begin();
    end();
}

static void spawn_read(void) { spawn("child_read", 1); }
static void spawn_one(void) { spawn("child_one", 2); }

/* The members of a group of three make a communicator; rank 1 does not come. */
static void create_group(void)
{
    MPI_Comm made;
    MPI_Group all;

    begin();
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (rank == 1)
        load_config();
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 7, &made);
    end();
}

/* Rank 1 opens a port, at which nobody meets it or rank 0. */
static void open_port(int connects)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm made;

    begin();
    if (rank == 1)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, MPI_COMM_WORLD);
    if (rank == 1 && !connects)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made);
    if (rank == 0 && connects)
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made);
    MPI_Barrier(MPI_COMM_WORLD);
    end();
}

static void accept_alone(void) { open_port(0); }
static void connect_alone(void) { open_port(1); }

#if MPI_VERSION >= 4
static void session(void (*before_init)(void), void (*before_make)(void))
{
    MPI_Session made;
    MPI_Group all;
    MPI_Comm comm;

    if (own_place() == 1)
        before_init();
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
    MPI_Group_from_session_pset(made, "mpi://WORLD", &all);
    if (own_place() == 1)
        before_make();
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                               &comm);
}

static void nothing(void) {}
static void session_init(void) { session(load_config, nothing); }
static void session_group(void) { session(nothing, load_config); }
#endif

/* ---- Programs that do not ---------------------------------------------- */

static void init_late(void)
{
    if (own_place() == 1)
        compute();
    begin();
    end();
}

static void init_nap(void)
{
    if (own_place() == 1)
        sleep(60);
    begin();
    end();
}

static void finalize_late(void)
{
    begin();
    if (rank == 1)
        compute();
    end();
}

static void finalize_slow(void)
{
    begin();
    if (rank == 1) {
        end();
        compute();
        return;
    }
    end();
}

static void child_late(void)
{
    compute();
    begin();
    end();
}

static void spawn_late(void) { spawn("child_late", 1); }

static void begin_and_go_on(void)
{
    begin();
    for (;;)
        MPI_Barrier(MPI_COMM_WORLD);
}

static const struct program programs[] = {
    { "init_read", init_read },
    { "init_child", init_child },
    { "init_lock", init_lock },
    { "init_stopped", init_stopped },
    { "init_thread", init_thread },
    { "init_two", init_two },
    { "finalize_read", finalize_read },
    { "finalize_lock", finalize_lock },
    { "finalize_receive", finalize_receive },
    { "finalize_stays", finalize_stays },
    { "spawn_read", spawn_read },
    { "child_read", child_read },
    { "spawn_one", spawn_one },
    { "child_one", child_one },
    { "create_group", create_group },
    { "accept_alone", accept_alone },
    { "connect_alone", connect_alone },
#if MPI_VERSION >= 4
    { "session_init", session_init },
    { "session_group", session_group },
#endif
    { "init_late", init_late },
    { "init_nap", init_nap },
    { "finalize_late", finalize_late },
    { "finalize_slow", finalize_slow },
    { "spawn_late", spawn_late },
    { "child_late", child_late },
    { "begin_and_go_on", begin_and_go_on }
};

int main(int argument_count, char **arguments)
{
    count = argument_count;
    words = arguments;
    alarm(15 * 60);
    if (argument_count > 1)
        run_program(programs, sizeof programs / sizeof programs[0],
                    arguments[1]);
    return 0;
}
