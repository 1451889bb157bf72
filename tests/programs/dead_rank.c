/* dead_rank.c - a rank of AArch64 that ends inside MPI_Recv, with nothing but
 * itself: no library, so that its core file is a small one
 *
 * tests/data/core has three programs of it, and what a kernel (Linux 6.1) wrote
 * as they ended, under the name of a library of MPI's.  They were made so, O0
 * with -g -O0, O2 with -O2, pac, which signs return addresses, with
 * -O1 -mbranch-protection=pac-ret, and stub with -O2 -DSTUB:
 *
 *     aarch64-linux-gnu-gcc -nostdlib -static -ffreestanding -Wl,--build-id \
 *         -Wl,--eh-frame-hdr -Wl,-z,max-page-size=4096
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define NOINLINE __attribute__((__noinline__))

typedef struct { int words[6]; } MPI_Status;

int MPI_Recv(void *buf, int count, int datatype, int source, int tag, int comm,
             MPI_Status *status);

static volatile int progress_made;

static long call(long number, long first, long second, long third)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;

    __asm__ volatile ("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2)
                      : "memory");
    return x0;
}

/* A linker's stub, which has no rules of unwinding, of a library that is not
 * there.
 */
#ifdef STUB
void stub(void);
__asm__("stub:\tadrp x16, stub + 0x10000000\n\tldr x17, [x16, 176]\n"
        "\tadd x16, x16, 176\n\tbr x17\n");
#endif

NOINLINE static int wait_for_message(MPI_Status *status)
{
    enum { sys_kill = 129, sys_getpid = 172, sigabrt = 6 };

    status->words[0] = progress_made;
#ifdef STUB
    stub();
#endif
    call(sys_kill, call(sys_getpid, 0, 0, 0), sigabrt, 0);
    return status->words[0];
}

NOINLINE int MPI_Recv(void *buf, int count, int datatype, int source, int tag,
                      int comm, MPI_Status *status)
{
    MPI_Status own;
    int left = count;

    while (left > 0) {
        own.words[1] = source;
        own.words[2] = tag;
        left -= wait_for_message(&own) + comm + datatype;
    }
    if (status != 0)
        *status = own;
    return *(int *)buf;
}

NOINLINE static int exchange(int rank, int size)
{
    enum { integer = 0x4c000405, world = 0x44000000, tag = 17 };
    MPI_Status status;
    int got = 0;

    return MPI_Recv(&got, 1, integer, (rank + size - 1) % size, tag, world,
                    &status) + got + status.words[1];
}

int main(int argc, char **argv)
{
    return exchange(argc + 2, argc + 7) + (argv == 0);
}

__asm__(".globl _start\n_start:\n\tmov x29, xzr\n\tmov x30, xzr\n"
        "\tldr x0, [sp]\n\tadd x1, sp, 8\n\tbl main\n\tbrk 0\n");
