/* mutate.c - runs a fuzzer on files or on random mutations
 *
 *     fuzz_NAME FILE...
 *     fuzz_NAME --mutated INPUTS SEED FILE...
 *
 * Those begin as the files.  The same words make the same inputs; the one that
 * breaks something is written to fuzz_NAME-SEED-NUMBER.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum {
    LARGEST = 24000,            /* bytes of a mutated input */
    LARGEST_FILE = 1 << 20,
    MUTATIONS = 8,              /* of one input, at most */
    PATIENCE = 60               /* seconds of a processor, for a few inputs */
};

struct seed_file {
    unsigned char *bytes;
    size_t length;
};

struct mutator {
    uint64_t seed;
    uint64_t state;             /* of the random numbers of one input */
    struct seed_file *files;
    size_t count;
    unsigned char bytes[LARGEST];
    size_t length;
};

/* ---- Random numbers (splitmix64) ----------------------------------------- */

static uint64_t random_number(struct mutator *mutator)
{
    uint64_t value = mutator->state += UINT64_C(0x9e3779b97f4a7c15);

    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

static size_t below(struct mutator *mutator, size_t limit)
{
    return (size_t)(random_number(mutator) % limit);
}

/* ---- Mutations ----------------------------------------------------------- */

static void change_byte(struct mutator *mutator)
{
    static const unsigned char telling[] = {
        0, 1, 2, 4, 8, 16, 64, 127, 128, 254, 255
    };
    size_t at = below(mutator, mutator->length);
    unsigned char *byte = &mutator->bytes[at];

    switch (below(mutator, 4)) {
    case 0: *byte ^= (unsigned char)(1u << below(mutator, 8)); break;
    case 1: *byte = (unsigned char)below(mutator, 256); break;
    case 2: *byte = telling[below(mutator, sizeof telling)]; break;
    case 3: *byte = (unsigned char)(*byte + 240 + below(mutator, 32)); break;
    }
}

/* Copies a part of the input over another one. */
static void repeat(struct mutator *mutator)
{
    size_t from = below(mutator, mutator->length);
    size_t to = below(mutator, mutator->length);
    size_t longest = mutator->length - (from > to ? from : to);

    memmove(mutator->bytes + to, mutator->bytes + from,
            1 + below(mutator, longest));
}

static void cut(struct mutator *mutator)
{
    size_t at = below(mutator, mutator->length);
    size_t length = 1 + below(mutator, 8);

    if (at + length >= mutator->length)
        return;
    mutator->length -= length;
    memmove(mutator->bytes + at, mutator->bytes + at + length,
            mutator->length - at);
}

static void insert(struct mutator *mutator)
{
    size_t at = below(mutator, mutator->length);
    size_t length = 1 + below(mutator, 8);

    if (mutator->length + length > LARGEST)
        return;
    memmove(mutator->bytes + at + length, mutator->bytes + at,
            mutator->length - at);
    for (size_t i = 0; i < length; i++)
        mutator->bytes[at + i] = (unsigned char)below(mutator, 256);
    mutator->length += length;
}

/* Goes on as another file does. */
static void splice(struct mutator *mutator)
{
    const struct seed_file *file =
        &mutator->files[below(mutator, mutator->count)];
    size_t at = below(mutator, mutator->length);

    if (at >= file->length)
        return;
    memcpy(mutator->bytes + at, file->bytes + at, file->length - at);
    mutator->length = file->length;
}

/* Makes input NUMBER. */
static void mutate(struct mutator *mutator, uint64_t number)
{
    const struct seed_file *file;
    size_t mutations;

    mutator->state = mutator->seed * UINT64_C(0xd1342543de82ef95) + number;
    file = &mutator->files[below(mutator, mutator->count)];
    memcpy(mutator->bytes, file->bytes, file->length);
    mutator->length = file->length;
    mutations = 1 + below(mutator, MUTATIONS);
    for (size_t i = 0; i < mutations; i++) {
        switch (below(mutator, 10)) {
        case 0: repeat(mutator); break;
        case 1: cut(mutator); break;
        case 2: insert(mutator); break;
        case 3: splice(mutator); break;
        default: change_byte(mutator);
        }
    }
}

/* ---- Files --------------------------------------------------------------- */

static void *checked(void *block, const char *what)
{
    if (block != NULL)
        return block;
    perror(what);
    exit(2);
}

static struct seed_file read_file(const char *name, size_t largest)
{
    FILE *stream = checked(fopen(name, "rb"), name);
    struct seed_file file = { checked(malloc(largest), name), 0 };

    file.length = fread(file.bytes, 1, largest, stream);
    fclose(stream);
    return file;
}

static void write_input(struct mutator *mutator, const char *fuzzer,
                        uint64_t number)
{
    char name[4096];
    FILE *stream;

    snprintf(name, sizeof name, "%s-%" PRIu64 "-%" PRIu64, fuzzer,
             mutator->seed, number);
    mutate(mutator, number);
    stream = checked(fopen(name, "wb"), name);
    fwrite(mutator->bytes, 1, mutator->length, stream);
    fclose(stream);
    printf("%s breaks on %s\n", fuzzer, name);
}

/* ---- The run ------------------------------------------------------------- */

/* Feeds an input, in a block that ends where it does. */
static void feed(const unsigned char *bytes, size_t length)
{
    unsigned char *exact = checked(malloc(length > 0 ? length : 1),
                                   "an input");

    memcpy(exact, bytes, length);
    LLVMFuzzerTestOneInput(exact, length);
    free(exact);
}

static void feed_all(struct mutator *mutator, uint64_t inputs,
                     volatile uint64_t *number)
{
    const struct itimerval patience = { .it_value.tv_sec = PATIENCE };

    for (*number = 0; *number < inputs; (*number)++) {
        mutate(mutator, *number);
        if (*number % 256 == 0)
            setitimer(ITIMER_PROF, &patience, NULL);
        feed(mutator->bytes, mutator->length);
    }
}

/* As WORDS say, from the name of the fuzzer on. */
static int feed_mutated(int count, char **words)
{
    static struct mutator mutator;
    uint64_t inputs = strtoull(words[2], NULL, 10), *number;
    int status = -1;
    pid_t child;

    mutator.seed = strtoull(words[3], NULL, 10);
    mutator.count = (size_t)count - 4;
    mutator.files = checked(calloc(mutator.count, sizeof mutator.files[0]),
                            "files");
    for (size_t i = 0; i < mutator.count; i++) {
        mutator.files[i] = read_file(words[i + 4], LARGEST);
        mutator.files[i].length += mutator.files[i].length == 0;
    }
    number = mmap(NULL, sizeof *number, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (number == MAP_FAILED)
        checked(NULL, "memory");
    child = fork();
    if (child == 0) {
        feed_all(&mutator, inputs, number);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        checked(NULL, "a process");
    if (status != 0)
        write_input(&mutator, words[0], *number);
    printf("%s: %" PRIu64 " inputs of seed %" PRIu64 "%s\n", words[0],
           *number, mutator.seed, status == 0 ? ", no finding" : "");
    return status != 0;
}

static void feed_files(char **names)
{
    for (; *names != NULL; names++) {
        struct seed_file file = read_file(*names, LARGEST_FILE);

        printf("%s\n", *names);
        fflush(stdout);
        feed(file.bytes, file.length);
        free(file.bytes);
    }
}

int main(int count, char **words)
{
    if (count > 4 && strcmp(words[1], "--mutated") == 0)
        return feed_mutated(count, words);
    feed_files(words + 1);
    return 0;
}
