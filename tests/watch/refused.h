/* refused.h - helpers for the program of refused.py
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct call {
    const char *name;
    int (*make)(void);
};

/* Bits that are no handle of any MPI. */
#ifdef OPEN_MPI
#define WRONG(type) ((type)NULL)
#else
#define WRONG(type) ((type)0x12345678)
#endif

enum { most = 64, messages = 4 };

static char room[1 << 12], given[1 << 12], attached[1 << 16];
static MPI_Comm comm, full, cart, extra_comm, *extra = &extra_comm;
static MPI_Datatype raw_type, type_itself, *type = &type_itself, types[most];
static MPI_Win win_itself;
static MPI_File file_itself;
static MPI_Group group;
static MPI_Request started[2], persistent[2], sent[messages],
    awaited[messages];
static MPI_Message message_itself, *message = &message_itself;
static MPI_Status statuses[most];
static int one, ints[most], negative_ints[most];
static MPI_Count counts[most], negative_counts[most];
static MPI_Aint places[most], negative_places[most];

/* Windows and files are passed by value and by address. */
#define win win_itself
#define file file_itself

static void make_arguments(void)
{
    void *memory;

    for (int i = 0; i < most; i++) {
        types[i] = MPI_INT;
        ints[i] = i == 0;
        counts[i] = i == 0;
        negative_ints[i] = -1;
        negative_counts[i] = -1;
        negative_places[i] = -1;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &full);
    MPI_Comm_dup(MPI_COMM_WORLD, &extra_comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){ 1 }, (int[]){ 1 }, 0, &cart);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(full, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(extra_comm, MPI_ERRORS_RETURN);
    MPI_Comm_group(comm, &group);
    MPI_Type_contiguous(2, MPI_INT, &raw_type);
    MPI_Type_contiguous(2, MPI_INT, &type_itself);
    MPI_Type_commit(&type_itself);
    if (MPI_Win_allocate_shared(sizeof room, 1, MPI_INFO_NULL, comm, &memory,
                                &win_itself) == MPI_SUCCESS)
        MPI_Win_set_errhandler(win_itself, MPI_ERRORS_RETURN);
    MPI_File_open(comm, "refused", MPI_MODE_CREATE | MPI_MODE_RDWR
                                   | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file_itself);
    MPI_Buffer_attach(attached, sizeof attached);
}

/* Receives for what is sent on one communicator, and messages for what is
 * received on the other: a right call returns.
 */
static void make_messages(void)
{
    static int data[2 * messages][2];

    for (int i = 0; i < messages; i++) {
        MPI_Irecv(data[i], 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
                  &awaited[i]);
        MPI_Isend(data[messages + i], 1, MPI_INT, 0, 5, full, &sent[i]);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Isend(data[i], 1, MPI_INT, MPI_PROC_NULL, 5, comm, &started[i]);
        MPI_Send_init(data[i], 1, MPI_INT, MPI_PROC_NULL, 5, comm,
                      &persistent[i]);
    }
    MPI_Mprobe(0, 5, full, &message_itself, MPI_STATUS_IGNORE);
}

/* Those that have not answered are left to themselves until all others have:
 * they sleep, or compute for ever, or are slow.
 */
enum { patience = 200, most_left = 256 };       /* milliseconds */

struct child {
    const struct call *call;    /* that it makes */
    pid_t pid;
    int link;                   /* a result comes for each word to go on */
};

static struct child left[most_left];
static size_t left_count;

static void limit(void)
{
    struct itimerval computing = { { 0, 0 }, { 0, 100000 } };

    setitimer(ITIMER_PROF, &computing, NULL);   /* it would not return */
    alarm(10);
}

/* Makes CALL and those behind it, until one succeeds: that has changed what the
 * next ones find.
 */
static void make_several(const struct call *call, int link)
{
    struct rlimit none = { 0, 0 };
    char word;

    setrlimit(RLIMIT_CORE, &none);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    for (; read(link, &word, 1) == 1; call++) {
        int class = MPI_SUCCESS;

        limit();
        make_messages();
        MPI_Error_class(call->make(), &class);
        if (write(link, &class, sizeof class) != (ssize_t)sizeof class)
            _exit(1);
        if (class == MPI_SUCCESS)
            break;
    }
    _exit(0);
}

static struct child begin(const struct call *call)
{
    struct child child = { call, 0, -1 };
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0
        || (child.pid = fork()) < 0) {
        perror("a child");
        exit(1);
    }
    if (child.pid == 0) {
        close(ends[0]);
        for (size_t i = 0; i < left_count; i++)
            close(left[i].link);
        make_several(call, ends[1]);
    }
    close(ends[1]);
    child.link = ends[0];
    return child;
}

static void end_child(struct child *child, int *status)
{
    close(child->link);
    waitpid(child->pid, status, 0);
}

/* Tells what became of its call; true if it may make the next one. */
static int tell(struct child *child)
{
    int class, status = 0;

    if (read(child->link, &class, sizeof class) == (ssize_t)sizeof class) {
        printf("%s: class %d\n", child->call->name, class);
        if (class != MPI_SUCCESS)
            return 1;
        end_child(child, &status);
        return 0;
    }
    end_child(child, &status);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF
                                || WTERMSIG(status) == SIGALRM))
        printf("%s: does not return\n", child->call->name);
    else if (WIFSIGNALED(status))
        printf("%s: signal %d\n", child->call->name, WTERMSIG(status));
    else
        printf("%s: exit\n", child->call->name);
    return 0;
}

/* Lets CHILD make its call, and tells what became of that if it is soon known;
 * true if it may make the next one.
 */
static int make_call(struct child *child)
{
    struct pollfd link = { child->link, POLLIN, 0 };

    if (write(child->link, "", 1) == 1 && left_count < most_left
        && poll(&link, 1, patience) == 0) {
        left[left_count++] = *child;
        return 0;
    }
    return tell(child);
}

static void tell_left(void)
{
    for (size_t i = 0; i < left_count; i++) {
        int status;

        if (tell(&left[i]))
            end_child(&left[i], &status);
    }
}

/* MPI's own handler of fatal errors may take seconds. */
static void end(MPI_Comm *of, int *error, ...)
{
    (void)of, (void)error;
    _exit(2);
}

static void make_all(const struct call *calls)
{
    struct child child;
    int is_there = 0, status;

    signal(SIGPIPE, SIG_IGN);
    for (; calls->name != NULL; calls++) {
        if (!is_there)
            child = begin(calls);
        child.call = calls;
        is_there = make_call(&child);
    }
    if (is_there)
        end_child(&child, &status);
}

static int make_calls(int argc, char **argv, const struct call *calls)
{
    MPI_Errhandler handler = MPI_ERRORS_RETURN;

    MPI_Init(&argc, &argv);
    make_arguments();
    if (argc > 1 && strcmp(argv[1], "fatal") == 0)
        MPI_Comm_create_errhandler(end, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    setvbuf(stdout, NULL, _IOLBF, 0);
    make_all(calls);
    tell_left();
    _exit(0);
}
