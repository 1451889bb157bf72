/* is_setuid.c - setuid program with a victim variable
 *
 * It is where the linker is told to put it.  The program says who it is and
 * what the variable holds; and that once more when the file $DONE is there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <unistd.h>

__attribute__((__section__(".victim"))) volatile int victim = 1;

int main(void)
{
    FILE *file = fopen(RESULT, "w");

    if (file == NULL)
        return 2;
    fprintf(file, "user %d, %d", (int)geteuid(), victim);
    fflush(file);
    while (access(DONE, F_OK) != 0)
        usleep(10000);
    fprintf(file, " and %d\n", victim);
    return fclose(file) != 0;
}
