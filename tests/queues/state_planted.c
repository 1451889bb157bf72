/* state_planted.c - decoy memory that resembles MPI queues
 *
 * usage: state_planted FILE VARIANT healthy|hung
 *
 * Each of two ranks posts a receive from the other and takes copies of memory
 * that has it, by the ways of the table below.  The receive is complete and
 * freed before the end of the program: if it is healthy, rank 0 waits in
 * MPI_Recv for rank 1, which sends as soon as there is FILE.go; if it is hung,
 * each waits in MPI_Recv for the other.  FILE.RANK says that it is about to,
 * with the number of its process.  Without a VARIANT the names of all are
 * printed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include "../programs/hangs/ranks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum {
    from_other = 1,             /* the other rank's memory */
    is_moved = 2,               /* addresses in the copy lead into the copy */
    is_late = 4,                /* copied after the receive was completed */
    is_in_place = 8,            /* at the addresses of the original */
    is_attached = 16,           /* MPI is given its address */
    is_freed = 32,              /* by free() */
    RANGES = 512, NAMES = 8, OBJECT = 1024, COPIES = 64
};

static const size_t most = (size_t)96 << 20;

struct range {
    uint64_t begin, end;
    char *copy;
};

static struct range ranges[RANGES];
static int range_count, other_pid, tag = 9;
static const char *file_name;
static void *attached;
static MPI_Request receive;
static int is_led_to;          /* an attribute and a buffer lead to it */

static void require(int condition, const char *text)
{
    if (condition)
        return;
    perror(text);
    MPI_Abort(MPI_COMM_WORLD, 4);
}

/* The file BASE in a folder of this rank's. */
static void name_file(const char *base, char *name, size_t length)
{
    int end = snprintf(name, length, "%s-%d", file_name, rank);

    mkdir(name, 0700);
    snprintf(name + end, length - (size_t)end, "/%s", base);
}

/* ---- Copies of memory ---------------------------------------------------- */

static void list_ranges(int pid)
{
    char name[64], line[4096];
    size_t total = 0;
    FILE *maps;

    snprintf(name, sizeof name, "/proc/%d/maps", pid);
    maps = fopen(name, "r");
    require(maps != NULL, name);
    range_count = 0;
    while (range_count < RANGES && fgets(line, sizeof line, maps) != NULL) {
        struct range *range = &ranges[range_count];

        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &range->begin, &range->end)
                != 2
            || strstr(line, " rw-p ") == NULL || strstr(line, "[stack]") != NULL
            || total + (range->end - range->begin) > most)
            continue;
        total += range->end - range->begin;
        range_count++;
    }
    fclose(maps);
}

/* Room for a copy, from FILE if there is one. */
static char *make_room(const struct range *range, int how, int file)
{
    size_t length = range->end - range->begin;
    void *wanted = (how & is_in_place) != 0 ? (void *)(uintptr_t)range->begin
                   : NULL, *room;
    off_t end = 0;

    if ((how & is_freed) != 0)
        return malloc(length);
    if (file >= 0) {
        end = lseek(file, 0, SEEK_END);
        require(ftruncate(file, end + (off_t)length) == 0, "ftruncate");
    }
    room = mmap(wanted, length, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0)
                | (wanted != NULL ? MAP_FIXED_NOREPLACE : 0), file, end);
    return room == MAP_FAILED ? NULL : room;
}

static void move(struct range *range)
{
    uint64_t *words = (uint64_t *)(void *)range->copy;
    size_t i, count = (range->end - range->begin) / 8;
    int k;

    for (i = 0; i < count; i++)
        for (k = 0; k < range_count; k++)
            if (words[i] >= ranges[k].begin && words[i] < ranges[k].end
                && ranges[k].copy != NULL) {
                words[i] += (uint64_t)(uintptr_t)ranges[k].copy
                            - ranges[k].begin;
                break;
            }
}

/* Copies what of a process's memory is its own and can be written. */
static void copy_memory(int how, const char *library)
{
    int pid = (how & from_other) != 0 ? other_pid : (int)getpid();
    int i, file = -1;
    char name[4096];

    if (library != NULL) {
        name_file(library, name, sizeof name);
        file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        require(file >= 0, name);
    }
    list_ranges(pid);
    for (i = 0; i < range_count; i++) {
        struct range *range = &ranges[i];
        size_t length = range->end - range->begin;
        struct iovec here = { NULL, length };
        struct iovec there = { (void *)(uintptr_t)range->begin, length };

        range->copy = make_room(range, how, file);
        here.iov_base = range->copy;
        if (range->copy != NULL
            && process_vm_readv(pid, &here, 1, &there, 1, 0) < 0)
            require(0, "process_vm_readv");
    }
    for (i = 0; i < range_count; i++) {
        struct range *range = &ranges[i];

        if (range->copy == NULL)
            continue;
        if ((how & is_moved) != 0)
            move(range);
        attached = range->copy;
        if ((how & is_freed) != 0)
            free(range->copy);
    }
}

/* Many copies of what a request's handle is the address of, if it is one. */
static void copy_requests(int how, const char *text)
{
    uintptr_t at = (uintptr_t)receive;
    struct iovec there = { (void *)at, OBJECT };
    void *copies[COPIES];
    int i;

    (void)text;
    for (i = 0; i < COPIES; i++) {
        struct iovec here = { malloc(OBJECT), OBJECT };

        require(here.iov_base != NULL, "malloc");
        copies[i] = here.iov_base;
        memset(here.iov_base, 0, OBJECT);
        process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    }
    attached = copies[0];
    for (i = 0; i < COPIES && (how & is_freed) != 0; i++)
        free(copies[i]);
}

/* ---- Libraries, names and processes -------------------------------------- */

/* The file of a library that this process has, or where it usually is. */
static void find_library(const char *library, char *name, size_t length)
{
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");

    require(maps != NULL, "maps");
    snprintf(name, length, "/usr/lib/x86_64-linux-gnu/%s.so.0", library);
    while (fgets(line, sizeof line, maps) != NULL) {
        const char *path = strchr(line, '/'), *base = strrchr(line, '/');

        if (path == NULL || strncmp(base + 1, library, strlen(library)) != 0
            || strncmp(base + 1 + strlen(library), ".so", 3) != 0)
            continue;
        snprintf(name, length, "%.*s", (int)strcspn(path, "\n"), path);
        break;
    }
    fclose(maps);
}

/* Loads a copy of a library beside the one that is there. */
static void load_library(int is_apart, const char *library)
{
    char from[4096], to[4200], bytes[65536];
    int in, out;
    ssize_t count;
    const char *base;

    find_library(library, from, sizeof from);
    base = strrchr(from, '/') + 1;
    name_file(base, to, sizeof to);
    in = open(from, O_RDONLY);
    if (in < 0)
        return;                 /* this MPI has none */
    out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0700);
    require(out >= 0, to);
    while ((count = read(in, bytes, sizeof bytes)) > 0)
        require(write(out, bytes, (size_t)count) == count, to);
    close(in);
    close(out);
    require((is_apart ? dlmopen(LM_ID_NEWLM, to, RTLD_NOW | RTLD_LOCAL)
             : dlopen(to, RTLD_NOW | RTLD_LOCAL)) != NULL, to);
}

/* Variables of this program that are called as a library's own, if it is built
 * for that; else they have names that nothing else has.
 */
#ifdef AS_IN_LIBRARY
#define BEFORE_NAME ""
#else
#define BEFORE_NAME "here_"
#endif
#define NAMED(name)                                                           \
    static char here_##name[OBJECT] __asm__(BEFORE_NAME #name)                \
        __attribute__((used, aligned(64)));
#define ALL_NAMED(each)                                                       \
    each(ompi_mpi_communicators) each(mca_pml_base_recv_requests)             \
    each(mca_pml_base_send_requests) each(ompi_pml_ucx)                       \
    each(ompi_request_t_class) each(MPI_T_PVAR_ALL_HANDLES)
ALL_NAMED(NAMED)

static void name_variables(int is_filled, const char *text)
{
#define ENTRY(name) { #name, here_##name },
    const struct {
        const char *name;
        char *here;
    } all[] = { ALL_NAMED(ENTRY) };
    size_t i;

    (void)text;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct iovec here = { all[i].here, OBJECT };
        struct iovec there = { dlsym(RTLD_DEFAULT, all[i].name), OBJECT };

        if (is_filled && there.iov_base != NULL)
            process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    }
}

/* A process that has all that a rank has, and is none. */
static void fork_child(int how, const char *text)
{
    int pid = fork();

    (void)how;
    (void)text;
    require(pid >= 0, "fork");
    if (pid > 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause();
}

static const struct variant {
    const char *name;
    void (*plant)(int how, const char *text);
    int how;
    const char *text;
} variants[] = {
    { "own", copy_memory, 0, NULL },
    { "own_late", copy_memory, is_late, NULL },
    { "own_freed", copy_memory, is_freed, NULL },
    { "own_moved", copy_memory, is_moved, NULL },
    { "own_moved_late", copy_memory, is_moved | is_late, NULL },
    { "own_attached", copy_memory, is_moved | is_attached, NULL },
    { "own_libucp", copy_memory, is_moved, "libucp.so.0" },
    { "own_libmpi", copy_memory, is_moved, "libmpi.so.40" },
    { "other", copy_memory, from_other, NULL },
    { "other_late", copy_memory, from_other | is_late, NULL },
    { "other_moved", copy_memory, from_other | is_moved, NULL },
    { "other_in_place", copy_memory, from_other | is_in_place, NULL },
    { "other_attached", copy_memory, from_other | is_moved | is_attached,
      NULL },
    { "requests", copy_requests, 0, NULL },
    { "requests_freed", copy_requests, is_freed, NULL },
    { "requests_attached", copy_requests, is_attached, NULL },
    { "libucp", load_library, 0, "libucp" },
    { "libmpi", load_library, 0, "libmpi" },
    { "libmpich", load_library, 0, "libmpich" },
    { "names", name_variables, 0, NULL },
    { "names_filled", name_variables, 1, NULL },
    { "forked", fork_child, 0, NULL }
};

/* ---- The program --------------------------------------------------------- */

static void plant(const struct variant *variant)
{
    static int room;
    int other = 1 - rank, own_pid = (int)getpid(), number = 0;

    MPI_Sendrecv(&own_pid, 1, MPI_INT, other, 1, &other_pid, 1, MPI_INT, other,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&room, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &receive);
    MPI_Barrier(MPI_COMM_WORLD);
    if ((variant->how & is_late) == 0)
        variant->plant(variant->how, variant->text);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&number, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    if ((variant->how & is_late) != 0)
        variant->plant(variant->how, variant->text);
    if ((variant->how & is_attached) != 0) {
        int key;

        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                               MPI_COMM_NULL_DELETE_FN, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_WORLD, key, attached);
        is_led_to = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    size_t i;
    char go[4096];
    int number = 0;
    void *buffer = &number;

    if (argc < 4) {
        for (i = 0; i < sizeof variants / sizeof variants[0]; i++)
            puts(variants[i].name);
        return 0;
    }
    MPI_Init(&argc, &argv);
    find_place();
    file_name = argv[1];
    for (i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (strcmp(variants[i].name, argv[2]) == 0)
            plant(&variants[i]);
    if (is_led_to)
        buffer = attached;
    snprintf(go, sizeof go, "%s.go", argv[1]);
    appear(argv[1]);
    if (rank == 1 && strcmp(argv[3], "healthy") == 0) {
        while (access(go, F_OK) != 0)
            usleep(10000);
        MPI_Send(&number, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    } else {
        MPI_Recv(buffer, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
