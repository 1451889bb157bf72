/* Feeds the files that are named to a fuzzer's function, without a fuzzer. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz.h"

enum { LARGEST = 1 << 20 };

static int replay(const char *file)
{
    unsigned char *bytes = malloc(LARGEST), *exact;
    FILE *stream = fopen(file, "rb");
    size_t length;

    if (bytes == NULL || stream == NULL) {
        perror(file);
        exit(2);
    }
    length = fread(bytes, 1, LARGEST, stream);
    fclose(stream);
    /* A block that ends where the input does, for the address sanitizer. */
    exact = malloc(length > 0 ? length : 1);
    if (exact == NULL) {
        perror(file);
        exit(2);
    }
    memcpy(exact, bytes, length);
    free(bytes);
    printf("%s\n", file);
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, length);
    free(exact);
    return 0;
}

int main(int count, char **files)
{
    for (int i = 1; i < count; i++)
        replay(files[i]);
    return 0;
}
