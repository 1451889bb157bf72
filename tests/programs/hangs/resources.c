/* resources.c - ranks that wait for locks, files, pipes, sockets and children
 *
 * usage: resources NAME FILE
 *
 * Of 2 ranks, rank 1 waits outside MPI for what rank 0, or it itself, or nobody
 * releases, and rank 0 waits in a barrier; or both go on for ever.  FILE.RANK
 * comes into being when a rank has come there; the files that they share are
 * FILE-...  No process lasts longer than 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include "ranks.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER,
                       two = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static const char *file_name;

/* In memory of both ranks. */
static struct shared {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
} *shared;

static const char *path_of(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s-%s", file_name, name);
    return path;
}

static void ready(void)
{
    appear(file_name);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void must(int is_so)
{
    if (!is_so)
        MPI_Abort(MPI_COMM_WORLD, 4);
}

static void start(void *(*run)(void *))
{
    pthread_t thread;

    pthread_barrier_init(&both, NULL, 2);
    must(pthread_create(&thread, NULL, run, NULL) == 0);
}

static int open_file(const char *name, int flags)
{
    int file = open(path_of(name), flags | O_CLOEXEC, 0600);

    must(file >= 0);
    return file;
}

static void receive_byte(int file)
{
    char byte;

    ready();
    must(read(file, &byte, 1) >= 0);
}

/* ---- Locks of one process ------------------------------------------------ */

static void *take_two_then_one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&two);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&one);
    return NULL;
}

static void two_mutexes(void)
{
    if (rank == 1) {
        pthread_mutex_lock(&one);
        start(take_two_then_one);
        pthread_barrier_wait(&both);
        ready();
        pthread_mutex_lock(&two);
    }
}

static void same_mutex(void)
{
    if (rank == 1) {
        pthread_mutex_lock(&one);
        ready();
        pthread_mutex_lock(&one);
    }
}

static void *take_one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&one);
    return NULL;
}

static void joined_waiter(void)
{
    pthread_t thread;

    if (rank == 1) {
        pthread_mutex_lock(&one);
        pthread_create(&thread, NULL, take_one, NULL);
        ready();
        pthread_join(thread, NULL);
    }
}

static void *write_then_take_one(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&readers);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&one);
    return NULL;
}

static void rwlock_of_writer(void)
{
    if (rank == 1) {
        pthread_mutex_lock(&one);
        start(write_then_take_one);
        pthread_barrier_wait(&both);
        ready();
        pthread_rwlock_rdlock(&readers);
    }
}

static void *read_then_take_one(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&readers);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&one);
    return NULL;
}

static void rwlock_of_reader(void)
{
    if (rank == 1) {
        pthread_mutex_lock(&one);
        start(read_then_take_one);
        pthread_barrier_wait(&both);
        ready();
        pthread_rwlock_wrlock(&readers);
    }
}

static void ended_owner(void)
{
    pthread_t thread;

    if (rank == 1) {
        pthread_create(&thread, NULL, take_one, NULL);
        pthread_join(thread, NULL);
        ready();
        pthread_mutex_lock(&one);
    }
}

static void *receive_with_one(void *unused)
{
    int number;

    (void)unused;
    pthread_mutex_lock(&one);
    pthread_barrier_wait(&both);
    MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void owner_in_mpi(void)
{
    int number;

    if (rank == 1) {
        start(receive_with_one);
        pthread_barrier_wait(&both);
        ready();
        pthread_mutex_lock(&one);
    } else {
        ready();
        MPI_Recv(&number, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void lost_signal(void)
{
    if (rank == 1) {
        pthread_mutex_lock(&one);
        ready();
        pthread_cond_wait(&condition, &one);
    }
}

/* ---- Locks of both ranks ------------------------------------------------- */

static void share(int robust, int protocol)
{
    pthread_mutexattr_t mutex;
    pthread_rwlockattr_t rwlock;
    int file = open_file("shared", O_CREAT | O_RDWR);

    must(ftruncate(file, sizeof *shared) == 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED,
                  file, 0);
    must(shared != MAP_FAILED);
    close(file);
    if (rank == 0) {
        pthread_mutexattr_init(&mutex);
        pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
        pthread_mutexattr_setrobust(&mutex, robust);
        pthread_mutexattr_setprotocol(&mutex, protocol);
        must(pthread_mutex_init(&shared->mutex, &mutex) == 0);
        pthread_rwlockattr_init(&rwlock);
        pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
        pthread_rwlock_init(&shared->rwlock, &rwlock);
    }
    meet();
}

static void take_shared(int robust, int protocol)
{
    share(robust, protocol);
    if (rank == 0)
        pthread_mutex_lock(&shared->mutex);
    meet();
    ready();
    if (rank == 1)
        pthread_mutex_lock(&shared->mutex);
}

static void shared_mutex(void)
{
    take_shared(PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
}

static void robust_mutex(void)
{
    take_shared(PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
}

static void inheriting_mutex(void)
{
    take_shared(PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT);
}

static void shared_rwlock(void)
{
    share(PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    if (rank == 0)
        pthread_rwlock_wrlock(&shared->rwlock);
    meet();
    ready();
    if (rank == 1)
        pthread_rwlock_wrlock(&shared->rwlock);
}

/* ---- Locks of files ------------------------------------------------------ */

static void lock_by(int file, int command)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
                          .l_start = 10, .l_len = 5 };

    must(command == 0 ? flock(file, LOCK_EX) == 0
                      : fcntl(file, command, &lock) == 0);
}

/* Rank 0 does first. */
static void lock_in_turn(int command)
{
    int file = open_file("lock", O_CREAT | O_RDWR);

    if (rank == 0)
        lock_by(file, command);
    meet();
    ready();
    if (rank == 1)
        lock_by(file, command);
}

static void lock_of_process(void)
{
    lock_in_turn(F_SETLKW);
}

static void lock_of_open_file(void)
{
    lock_in_turn(F_OFD_SETLKW);
}

static void lock_of_whole_file(void)
{
    lock_in_turn(0);
}

static void *nap(void *unused)
{
    for (;;)
        usleep(20000);
    return unused;
}

/* Where MPI_THREAD_SERIALIZED lets the other thread of rank 1 send what rank 0
 * waits for.
 */
static void lock_beside_thread(void)
{
    if (rank == 1)
        start(nap);
    lock_in_turn(F_SETLKW);
}

/* Rank 1 asks again and again. */
static void poll_lock(int command)
{
    int file = open_file("lock", O_CREAT | O_RDWR);
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    if (rank == 0)
        lock_by(file, command);
    meet();
    ready();
    while (rank == 1 && (command == 0 ? flock(file, LOCK_EX | LOCK_NB)
                                      : fcntl(file, F_SETLK, &lock)) != 0)
        usleep(20000);
}

static void polled_lock_of_process(void)
{
    poll_lock(F_SETLKW);
}

static void polled_lock_of_whole_file(void)
{
    poll_lock(0);
}

static void lock_twice(void)
{
    if (rank == 1) {
        lock_by(open_file("lock", O_CREAT | O_RDWR), 0);
        ready();
        lock_by(open_file("lock", O_RDWR), 0);
    }
}

static void lock_of_stranger(void)
{
    int file = open_file("lock", O_CREAT | O_RDWR), ends[2];
    char byte;

    must(pipe(ends) == 0);
    if (rank == 1) {
        if (fork() == 0) {
            lock_by(file, F_SETLKW);
            must(write(ends[1], "", 1) == 1);
            alarm(900);
            for (;;)
                pause();
        }
        must(read(ends[0], &byte, 1) == 1);
        ready();
        lock_by(file, F_SETLKW);
    }
}

/* ---- Pipes and sockets --------------------------------------------------- */

/* Rank 0 keeps the end to write to. */
static int make_fifo(void)
{
    if (rank == 0)
        must(mkfifo(path_of("fifo"), 0600) == 0);
    meet();
    return open_file("fifo", rank == 0 ? O_WRONLY : O_RDONLY);
}

static void own_pipe(void)
{
    int ends[2];

    if (rank == 1 && pipe(ends) == 0)
        receive_byte(ends[0]);
}

static void fifo(void)
{
    int file = make_fifo();

    if (rank == 1)
        receive_byte(file);
}

static void polled_fifo(void)
{
    struct pollfd it = { make_fifo(), POLLIN, 0 };

    ready();
    if (rank == 1)
        must(poll(&it, 1, -1) >= 0);
}

static void selected_fifo(void)
{
    int file = make_fifo();
    fd_set all;

    FD_ZERO(&all);
    FD_SET(file, &all);
    ready();
    if (rank == 1)
        must(select(file + 1, &all, NULL, NULL, NULL) >= 0);
}

static void full_fifo(void)
{
    static const char bytes[1 << 20];
    int file;

    if (rank == 0)
        must(mkfifo(path_of("fifo"), 0600) == 0);
    meet();
    file = open_file("fifo", rank == 1 ? O_WRONLY : O_RDONLY);
    ready();
    while (rank == 1)
        must(write(file, bytes, sizeof bytes) > 0);
}

static void unopened_fifo(void)
{
    if (rank == 1) {
        must(mkfifo(path_of("fifo"), 0600) == 0);
        ready();
        open_file("fifo", O_RDONLY);
    }
}

/* A connection between both ranks. */
static int connect_by(const struct sockaddr *address, socklen_t length)
{
    int listener = socket(address->sa_family, SOCK_STREAM, 0), end = listener;
    struct sockaddr_in chosen;
    socklen_t room = sizeof chosen;

    if (rank == 0) {
        must(bind(listener, address, length) == 0 && listen(listener, 1) == 0);
        if (address->sa_family == AF_INET)
            must(getsockname(listener, (struct sockaddr *)&chosen, &room) == 0);
    }
    MPI_Bcast(&chosen, sizeof chosen, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 1)
        must(connect(end, address->sa_family == AF_INET
                          ? (struct sockaddr *)&chosen : address, length) == 0);
    else
        must((end = accept(listener, NULL, NULL)) >= 0);
    return end;
}

static int connect_tcp(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET };

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect_by((struct sockaddr *)&address, sizeof address);
}

static int connect_local(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    snprintf(address.sun_path, sizeof address.sun_path, "%.100s",
             path_of("socket"));
    return connect_by((struct sockaddr *)&address, sizeof address);
}

static void tcp(void)
{
    int end = connect_tcp();

    if (rank == 1)
        receive_byte(end);
}

static void local_socket(void)
{
    int end = connect_local();

    if (rank == 1)
        receive_byte(end);
}

static void own_socket(void)
{
    int ends[2];

    if (rank == 1 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        receive_byte(ends[0]);
}

static void terminal(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);

    must(grantpt(master) == 0 && unlockpt(master) == 0);
    if (rank == 1)
        receive_byte(open(ptsname(master), O_RDONLY | O_NOCTTY));
}

/* ---- Children ------------------------------------------------------------ */

static void sleeping_child(void)
{
    if (rank == 1) {
        ready();
        must(system("exec sleep 900") >= 0);
    }
}

/* Rank 1 awaits a child that reads FILE; OTHER is no business of that. */
static void await_reader(int file, int other)
{
    pid_t child = fork();
    char byte;

    if (child == 0) {
        close(other);
        alarm(900);
        _exit(read(file, &byte, 1) < 0);
    }
    ready();
    must(waitpid(child, NULL, 0) == child);
}

static void child_of_reader(void)
{
    int ends[2];

    if (rank == 1 && pipe(ends) == 0)
        await_reader(ends[0], ends[1]);
}

static void child_of_rank(void)
{
    int file = make_fifo();

    if (rank == 1)
        await_reader(file, -1);
}

static void inherited_mutex(void)
{
    pid_t child;

    if (rank == 1) {
        pthread_mutex_lock(&one);
        child = fork();
        if (child == 0) {
            alarm(900);
            pthread_mutex_lock(&one);
            _exit(0);
        }
        ready();
        waitpid(child, NULL, 0);
    }
}

/* ---- Healthy ------------------------------------------------------------- */

static void brief_locks(int command)
{
    int file = open_file("lock", O_CREAT | O_RDWR);

    ready();
    for (;;) {
        struct flock none = { .l_type = F_UNLCK };

        lock_by(file, command);
        usleep(1000);
        must(command == 0 ? flock(file, LOCK_UN) == 0
                          : fcntl(file, F_SETLKW, &none) == 0);
        if (rank == 0)
            usleep(500);
    }
}

static void brief_lock_of_process(void)
{
    brief_locks(F_SETLKW);
}

static void brief_lock_of_whole_file(void)
{
    brief_locks(0);
}

static void busy_fifo(void)
{
    int file = make_fifo();
    char byte = 0;

    ready();
    for (;;) {
        if (rank == 0)
            usleep(20000);
        must(rank == 0 ? write(file, &byte, 1) == 1
                       : read(file, &byte, 1) == 1);
    }
}

static void busy_socket(void)
{
    int end = connect_tcp();
    char byte = 0;

    ready();
    if (rank == 0)
        must(write(end, &byte, 1) == 1);
    while (read(end, &byte, 1) == 1) {
        usleep(10000);
        must(write(end, &byte, 1) == 1);
    }
}

static void busy_children(void)
{
    ready();
    for (;;)
        must(system("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done") == 0);
}

static void *contend(void *unused)
{
    volatile int work;

    (void)unused;
    for (;;) {
        pthread_mutex_lock(&one);
        for (work = 0; work < 10000; work++)
            continue;
        pthread_mutex_unlock(&one);
    }
    return NULL;
}

static void contended_mutex(void)
{
    ready();
    if (rank == 1) {
        for (int i = 0; i < 7; i++)
            start(contend);
        contend(NULL);
    }
}

static void *sleep_with_one(void *unused)
{
    pthread_mutex_lock(&one);
    pthread_barrier_wait(&both);
    sleep(900);
    pthread_mutex_unlock(&one);
    return unused;
}

static void sleeping_owner(void)
{
    if (rank == 1) {
        start(sleep_with_one);
        pthread_barrier_wait(&both);
        ready();
        pthread_mutex_lock(&one);
    } else {
        ready();
    }
}

static void *signal_often(void *unused)
{
    for (;;) {
        usleep(10000);
        pthread_mutex_lock(&one);
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&one);
    }
    return unused;
}

static void signalled(void)
{
    ready();
    if (rank == 1) {
        start(signal_often);
        pthread_mutex_lock(&one);
        for (;;)
            pthread_cond_wait(&condition, &one);
    }
}

static void contended_shared_mutex(void)
{
    share(PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    ready();
    for (;;) {
        pthread_mutex_lock(&shared->mutex);
        usleep(1000);
        pthread_mutex_unlock(&shared->mutex);
        usleep(100);
    }
}

static const struct program programs[] = {
    { "two_mutexes", two_mutexes },
    { "same_mutex", same_mutex },
    { "joined_waiter", joined_waiter },
    { "rwlock_of_writer", rwlock_of_writer },
    { "rwlock_of_reader", rwlock_of_reader },
    { "ended_owner", ended_owner },
    { "owner_in_mpi", owner_in_mpi },
    { "lost_signal", lost_signal },
    { "shared_mutex", shared_mutex },
    { "robust_mutex", robust_mutex },
    { "inheriting_mutex", inheriting_mutex },
    { "shared_rwlock", shared_rwlock },
    { "lock_of_process", lock_of_process },
    { "lock_of_open_file", lock_of_open_file },
    { "lock_of_whole_file", lock_of_whole_file },
    { "lock_beside_thread", lock_beside_thread },
    { "polled_lock_of_process", polled_lock_of_process },
    { "polled_lock_of_whole_file", polled_lock_of_whole_file },
    { "lock_twice", lock_twice },
    { "lock_of_stranger", lock_of_stranger },
    { "own_pipe", own_pipe },
    { "fifo", fifo },
    { "polled_fifo", polled_fifo },
    { "selected_fifo", selected_fifo },
    { "full_fifo", full_fifo },
    { "unopened_fifo", unopened_fifo },
    { "tcp", tcp },
    { "local_socket", local_socket },
    { "own_socket", own_socket },
    { "terminal", terminal },
    { "sleeping_child", sleeping_child },
    { "child_of_reader", child_of_reader },
    { "child_of_rank", child_of_rank },
    { "inherited_mutex", inherited_mutex },
    { "brief_lock_of_process", brief_lock_of_process },
    { "brief_lock_of_whole_file", brief_lock_of_whole_file },
    { "busy_fifo", busy_fifo },
    { "busy_socket", busy_socket },
    { "busy_children", busy_children },
    { "contended_mutex", contended_mutex },
    { "sleeping_owner", sleeping_owner },
    { "signalled", signalled },
    { "contended_shared_mutex", contended_shared_mutex }
};

int main(int argc, char **argv)
{
    int provided;

    if (argc != 3)
        return 2;
    file_name = argv[2];
    alarm(900);
    MPI_Init_thread(&argc, &argv, strcmp(argv[1], "lock_beside_thread") == 0
                                  ? MPI_THREAD_SERIALIZED
                                  : MPI_THREAD_MULTIPLE, &provided);
    find_place();
    if (size == 2)
        run_program(programs, sizeof programs / sizeof programs[0], argv[1]);
    ready();
    meet();
    MPI_Finalize();
    return 0;
}
