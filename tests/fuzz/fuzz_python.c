/* fuzz_python.c - fuzzer: Python reader with mutated processes
 *
 * An input is a byte that says which recording is meant, then changes of 8
 * bytes each: 2 bytes say which read of the unchanged process is meant, 2 which
 * word of it, 1 the kind (a number, a little more, another read's address,
 * nothing), and 3 the number or the other read.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <glob.h>

#include "symbols/python.h"
#include "target/snapshot.h"
#include "tests/fuzz/fuzz.h"
#include "tests/kit/patched.h"

enum { recordings = 8 };

static struct recording {
    int thread;
    struct mq_target *target;
    uint64_t addresses[mq_python_symbols];
    struct patched plain;       /* with what is read of the unchanged one */
} all[recordings];

static size_t count;

/* Reads the stack; whatever is told is whole. */
static void read_stack(const struct recording *it, struct mq_target *target)
{
    struct mq_python *python = NULL;
    struct mq_frame *frames = NULL;
    struct mq_error error;
    size_t told = 0, left_out;

    if (mq_python_create(target, it->addresses, &error, &python) != mq_ok)
        return;
    if (mq_python_frames(python, it->thread, &error, &frames, &told,
                         &left_out) == mq_ok)
        FUZZ_CHECK(told > 0 && told <= mq_python_most);
    for (size_t i = 0; i < told; i++) {
        FUZZ_CHECK(frames[i].function != NULL && frames[i].function[0] != '\0');
        FUZZ_CHECK(frames[i].line >= 0);
        FUZZ_CHECK((frames[i].file == NULL) == (frames[i].line == 0));
    }
    free(frames);
    mq_python_destroy(python);
}

static void open_all(void)
{
    glob_t found;

    FUZZ_CHECK(glob("tests/data/python/*.mqsnap", 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc && i < recordings; i++) {
        struct recording *it = &all[count++];
        struct mq_error error;

        FUZZ_CHECK(sscanf(strrchr(found.gl_pathv[i], '-'), "-%d.",
                          &it->thread) == 1);
        FUZZ_CHECK(mq_snapshot_open(found.gl_pathv[i], &error, &it->target)
                   == mq_ok);
        for (int j = 0; j < mq_python_symbols; j++)
            mq_target_find_symbol(it->target, mq_python_names[j], &error,
                                  &it->addresses[j]);
        patched_init(&it->plain, it->target);
        read_stack(it, &it->plain.target);
        FUZZ_CHECK(it->plain.read_count > 0);
    }
    FUZZ_CHECK(count > 0);
    globfree(&found);
}

static const struct patched_read *take_read(const struct recording *it,
                                            struct fuzz_input *input)
{
    return &it->plain.reads[fuzz_two_bytes(input) % it->plain.read_count];
}

static void change(const struct recording *it, struct fuzz_input *input,
                   struct patched *patched)
{
    const struct patched_read *read = take_read(it, input);
    uint64_t address = read->address
                       + fuzz_two_bytes(input) % (read->length + 1) / 8 * 8;
    uint64_t value = 0;

    switch (fuzz_byte(input) % 4) {
    case 0:
        value = fuzz_two_bytes(input) | (uint64_t)fuzz_byte(input) << 16;
        break;
    case 1:
        mq_target_read_unsigned(it->target, address, 8, NULL, &value);
        value += (uint64_t)(int64_t)(signed char)fuzz_byte(input);
        fuzz_two_bytes(input);
        break;
    case 2:
        value = take_read(it, input)->address;
        value += 8 * (uint64_t)(fuzz_byte(input) % 32);
        break;
    default:
        value = UINT64_MAX - fuzz_two_bytes(input) - fuzz_byte(input);
        break;
    }
    patched_set(patched, address, value);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };
    static struct patched patched;
    const struct recording *it;

    if (count == 0)
        open_all();
    it = &all[count > 0 ? fuzz_byte(&input) % count : 0];
    patched_init(&patched, it->target);
    while (input.length > 0 && patched.count < patched_words)
        change(it, &input, &patched);
    read_stack(it, &patched.target);
    return 0;
}
