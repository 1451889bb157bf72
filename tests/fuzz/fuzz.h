/* fuzz.h - common parts of the fuzzers
 *
 * A fuzzer is one file, fuzz_NAME.c, with LLVMFuzzerTestOneInput.  libFuzzer
 * calls it with what it invents (make fuzz); mutate.c calls it with the files
 * of tests/data/corpus/NAME, among them each input that ever broke something,
 * and with mutations of these (make mutate).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length);

#define FUZZ_CHECK(condition)                                   \
    do {                                                        \
        if (!(condition)) {                                     \
            fprintf(stderr, "%s:%d: %s does not hold\n",        \
                    __FILE__, __LINE__, #condition);            \
            abort();                                            \
        }                                                       \
    } while (0)

/* What is left of the input.  Behind its end there are zeros. */
struct fuzz_input {
    const unsigned char *bytes;
    size_t length;
};

static inline unsigned fuzz_byte(struct fuzz_input *input)
{
    if (input->length == 0)
        return 0;
    input->length--;
    return *input->bytes++;
}

/* Little-endian. */
static inline unsigned fuzz_two_bytes(struct fuzz_input *input)
{
    unsigned low = fuzz_byte(input);

    return low | fuzz_byte(input) << 8;
}

static inline void fuzz_bytes(struct fuzz_input *input, unsigned char *to,
                              size_t length)
{
    size_t here = length < input->length ? length : input->length;

    memcpy(to, input->bytes, here);
    memset(to + here, 0, length - here);
    input->bytes += here;
    input->length -= here;
}

#endif
