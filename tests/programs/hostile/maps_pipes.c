/* maps_pipes.c - process in a chroot with a pipe as MPI library
 *
 * It has the library mapped, in whose place there is a pipe.
 *
 * maps_pipes FILE PIPE...: maps FILE as a library is, and puts a pipe there and
 * at each PIPE.  It writes "ready" and waits.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;

    if (file < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file,
                         0) == MAP_FAILED || unlink(argv[1]) != 0)
        return 1;
    for (int i = 1; i < argc; i++) {
        if (mkfifo(argv[i], 0666) != 0)
            return 1;
        chmod(argv[i], 0666);
    }
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
