/* tool_records.c - many records of libmqwatch's, made of one:
 * records RECORD FOLDER COUNT [jobs]
 *
 * They are of the ranks of one job or, with jobs, of rank 0 of as many that
 * began one after the other, the last one last.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "include/mqwatch_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char bytes[1 << 16];

static int fail(const char *name)
{
    perror(name);
    return 1;
}

int main(int argc, char **argv)
{
    struct mqwatch_record *head = (void *)bytes;
    FILE *file = argc >= 4 ? fopen(argv[1], "r") : NULL;
    const int count = argc >= 4 ? atoi(argv[3]) : 0;
    size_t length;
    int64_t began;

    if (file == NULL)
        return fail("records RECORD FOLDER COUNT [jobs]");
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    began = head->began;
    for (int i = 0; i < count; i++) {
        char path[4096];

        head->rank = argc > 4 ? 0 : i;
        head->world_size = argc > 4 ? head->world_size : count;
        head->began = argc > 4 ? began + i * INT64_C(1000000000) : began;
        snprintf(path, sizeof path, "%s/rank-%05d.host.%d.mqwatch", argv[2],
                 head->rank, i);
        file = fopen(path, "w");
        if (file == NULL)
            return fail(path);
        fwrite(bytes, 1, length, file);
        if (fclose(file) != 0)
            return fail(path);
    }
    return 0;
}
