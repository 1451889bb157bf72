/* fuzz_queues.h - mutated recorded processes for queue DLLs
 *
 * RECORDED is a pattern of the recordings that the including file has for its
 * DLL.  An input is
 *
 *     1 byte      which recording
 *     1 byte      the fetch that fails, in dozens; 0: none
 *     1 byte      the allocation that fails; 0: none
 *     then changes of 8 bytes each:
 *     2 bytes     which fetch of the unchanged process is meant
 *     2 bytes     which word of it
 *     1 byte      kind: a number, a little more, another fetch's word, nothing
 *     3 bytes     the number, or fetch and word
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef FUZZ_QUEUES_H
#define FUZZ_QUEUES_H

#include <glob.h>
#include <inttypes.h>
#include <string.h>

#include "mpi_interface.h"
#include "queues/errors.h"
#include "queues/extensions.h"
#include "queues/found.h"
#include "queues/reader.h"
#include "target/snapshot.h"
#include "tests/fuzz/fuzz.h"

enum {
    RECORDINGS = 32,
    LOGGED = 4096,              /* fetches of an unchanged process */
    CHANGES = 64
};

struct mqs_image_ {
    mqs_image_info *info;
};

struct mqs_process_ {
    mqs_process_info *info;
};

struct fetched {
    uint64_t address;
    size_t words;
};

static struct recording {
    struct mq_target *target;
    size_t count;
    struct fetched log[LOGGED];
} recordings[RECORDINGS];

static size_t recording_count;

/* The debugger and what it shows. */
static struct {
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct recording *recording;
    int is_logging;
    size_t change_count;
    struct change {
        uint64_t address;
        unsigned char bytes[8];
    } changes[CHANGES];
    unsigned failing_fetch, failing_store;      /* 0: none, 1: the next one */
    size_t blocks;
    unsigned fetches;                           /* in this call */
} host;

/* ---- Callbacks ----------------------------------------------------------- */

static int fails(unsigned *countdown)
{
    return *countdown > 0 && --*countdown == 0;
}

static void *get_store(size_t size)
{
    void *block = fails(&host.failing_store) ? NULL : malloc(size);

    host.blocks += block != NULL;
    return block;
}

static void give_back_store(void *block)
{
    FUZZ_CHECK(block != NULL && host.blocks > 0);
    host.blocks--;
    free(block);
}

static void print(const char *text)
{
    (void)text;
}

static char *sentence(int code)
{
    (void)code;
    return (char *)"an error of the debugger's";
}

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    image->info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    return image->info;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    process->info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    return process->info;
}

static const mqs_basic_callbacks basic_callbacks = {
    get_store, give_back_store, print, sentence,
    put_image_info, get_image_info, put_process_info, get_process_info
};

static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *sizes)
{
    static const mqs_target_type_sizes lp64 = { 2, 4, 8, 8, 8 };

    (void)process;
    *sizes = lp64;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *address)
{
    struct mq_target *target = host.recording->target;
    uint64_t found;

    (void)image;
    if (mq_target_find_symbol(target, name, NULL, &found) != mq_ok)
        return mqs_no_information;
    *address = (mqs_taddr_t)found;
    return mqs_ok;
}

static const mqs_image_callbacks image_callbacks = {
    get_type_sizes, NULL, find_symbol, NULL, NULL, NULL
};

static int get_global_rank(mqs_process *process)
{
    (void)process;
    return host.recording->target->rank;
}

static mqs_image *get_image(mqs_process *process)
{
    (void)process;
    return &host.image;
}

static void apply_changes(uint64_t address, size_t length, unsigned char *data)
{
    for (size_t i = 0; i < host.change_count; i++) {
        const struct change *change = &host.changes[i];

        for (size_t b = 0; b < sizeof change->bytes; b++) {
            uint64_t at = change->address + b;

            if (at >= address && at - address < length)
                data[at - address] = change->bytes[b];
        }
    }
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int length,
                      void *data)
{
    struct recording *recording = host.recording;

    (void)process;
    FUZZ_CHECK(length > 0);
    host.fetches++;
    if (fails(&host.failing_fetch)
        || recording->target->ops->read(recording->target, address,
                                        (size_t)length, NULL, data) != mq_ok)
        return mqs_no_information;
    if (host.is_logging && recording->count < LOGGED && length >= 8)
        recording->log[recording->count++] =
            (struct fetched){ address, (size_t)length / 8 };
    apply_changes(address, (size_t)length, data);
    return mqs_ok;
}

static void target_to_host(mqs_process *process, const void *in, void *out,
                           int length)
{
    (void)process;
    memcpy(out, in, (size_t)length);
}

static const mqs_process_callbacks process_callbacks = {
    get_global_rank, get_image, fetch_data, target_to_host
};

/* ---- Calls --------------------------------------------------------------- */

/* Each call of the DLL's ends with this. */
static int check_code(int code)
{
    FUZZ_CHECK(host.fetches <= FETCHES_LIMIT);
    host.fetches = 0;
    FUZZ_CHECK(code == mqs_ok || code == mqs_no_information
               || code == mqs_end_of_list
               || (code >= mqs_first_user_code && code < (int)err_count));
    FUZZ_CHECK(mqs_dll_error_string(code)[0] != '\0');
    return code;
}

/* What is told of one queue. */
static void walk_queue(int op_class, mqs_tword_t size)
{
    int status = check_code(mqs_setup_operation_iterator(&host.process,
                                                         op_class));

    for (unsigned i = 0; status == mqs_ok; i++) {
        mqs_pending_operation operation;
        mqs_taddr_t handle;

        FUZZ_CHECK(i <= OPERATIONS_LIMIT);
        status = check_code(mqs_next_operation(&host.process, &operation));
        if (status != mqs_ok)
            return;
        FUZZ_CHECK(operation.desired_local_rank >= -1
                   && operation.desired_local_rank < size
                   && operation.desired_length >= -1
                   && (operation.extra_text[0][0] == '\0'
                       || strcmp(operation.extra_text[0],
                                 "The buffer is not known") == 0));
        check_code(Mqs_operation_handle(&host.process, &handle));
        check_code(Mqs_request_mark(&host.process, handle, &handle));
        check_code(Mqs_operation_mark(&host.process, &handle));
    }
}

/* What is told of requests: MPICH's first ones, and those of the call. */
static void ask_for_marks(void)
{
    const struct mq_target *target = host.recording->target;
    mqs_taddr_t mark;

    for (unsigned i = 0; i < 8; i++) {
        check_code(Mqs_request_mark(&host.process, 0xac000000u + i, &mark));
        check_code(Mqs_request_mark(&host.process, 0xec000000u + i, &mark));
    }
    for (size_t i = 0; target->thread_count > 0
                       && i < target->threads[0].argument_count; i++)
        check_code(Mqs_request_mark(
            &host.process,
            (mqs_taddr_t)target->threads[0].arguments[i].value, &mark));
}

/* Who the members are of all worlds; RANKS has room, or is null. */
static void ask_for_members(mqs_taddr_t handle, int size, int *ranks)
{
    mqs_taddr_t *worlds = calloc((size_t)size + 1, sizeof *worlds);

    if (worlds != NULL && ranks != NULL
        && check_code(Mqs_comm_members(&host.process, handle, size, worlds,
                                       ranks)) == mqs_ok)
        for (int i = 0; i < size; i++)
            FUZZ_CHECK(worlds[i] != 0 && ranks[i] >= 0
                       && ranks[i] < RANKS_LIMIT);
    free(worlds);
}

static void walk_communicators(void)
{
    int status = check_code(mqs_setup_communicator_iterator(&host.process));

    for (unsigned i = 0; status == mqs_ok; i++) {
        mqs_communicator communicator;
        mqs_taddr_t handle;
        int *ranks;

        FUZZ_CHECK(i <= COMMUNICATORS_LIMIT);
        FUZZ_CHECK(mqs_get_communicator(&host.process, &communicator)
                   == mqs_ok);
        FUZZ_CHECK(memchr(communicator.name, '\0', sizeof communicator.name)
                   != NULL && communicator.size >= 0);
        FUZZ_CHECK(Mqs_comm_handle(&host.process, &handle) == mqs_ok);
        ranks = malloc(((size_t)communicator.size + 1) * sizeof *ranks);
        if (ranks != NULL)
            check_code(mqs_get_comm_group(&host.process, ranks));
        ask_for_members(handle, (int)communicator.size, ranks);
        free(ranks);
        for (int op_class = 0; op_class < QUEUES; op_class++)
            walk_queue(op_class, communicator.size);
        status = check_code(mqs_next_communicator(&host.process));
    }
}

/* A debugger's way through the process as it is now. */
static void walk(void)
{
    char *message;

    host.image.info = NULL;
    host.process.info = NULL;
    mqs_setup_basic_callbacks(&basic_callbacks);
    if (check_code(mqs_setup_image(&host.image, &image_callbacks)) == mqs_ok
        && check_code(mqs_image_has_queues(&host.image, &message)) == mqs_ok
        && check_code(mqs_setup_process(&host.process, &process_callbacks))
           == mqs_ok) {
        check_code(mqs_process_has_queues(&host.process, &message));
        for (int i = 0; i < 2; i++)
            if (check_code(mqs_update_communicator_list(&host.process))
                == mqs_ok) {
                walk_communicators();
                ask_for_marks();
            }
    }
    if (host.process.info != NULL)
        mqs_destroy_process_info(host.process.info);
    if (host.image.info != NULL)
        mqs_destroy_image_info(host.image.info);
    FUZZ_CHECK(host.blocks == 0);
}

/* ---- Recordings ---------------------------------------------------------- */

/* What gzip makes of FILE, in a block of malloc. */
static char *unpack(const char *file, size_t *length)
{
    char command[512], *text = NULL, piece[1 << 16];
    FILE *pipe, *stream = open_memstream(&text, length);
    size_t some;

    snprintf(command, sizeof command, "gzip -dc '%s'", file);
    pipe = popen(command, "r");
    FUZZ_CHECK(pipe != NULL && stream != NULL);
    while ((some = fread(piece, 1, sizeof piece, pipe)) > 0)
        fwrite(piece, 1, some, stream);
    FUZZ_CHECK(pclose(pipe) == 0 && fclose(stream) == 0);
    return text;
}

static void load_recordings(void)
{
    glob_t files;

    FUZZ_CHECK(glob(RECORDED, GLOB_BRACE, NULL, &files) == 0);
    for (size_t i = 0; i < files.gl_pathc && i < RECORDINGS; i++) {
        struct recording *recording = &recordings[recording_count++];
        size_t length;
        char *text = unpack(files.gl_pathv[i], &length);

        FUZZ_CHECK(mq_snapshot_parse("recording", text, length, NULL,
                                     &recording->target) == mq_ok);
        free(text);
        host.recording = recording;
        host.is_logging = 1;
        walk();
        host.is_logging = 0;
        FUZZ_CHECK(recording->count > 20);
    }
    globfree(&files);
}

/* ---- Changes ------------------------------------------------------------- */

/* Where the word is that two numbers choose. */
static uint64_t choose(unsigned fetch, unsigned word)
{
    const struct fetched *fetched =
        &host.recording->log[fetch % host.recording->count];

    return fetched->address + word % fetched->words * 8;
}

static void take_change(struct fuzz_input *input)
{
    unsigned fetch = fuzz_two_bytes(input), word = fuzz_two_bytes(input);
    unsigned kind = fuzz_byte(input), first = fuzz_byte(input);
    unsigned second = fuzz_two_bytes(input);
    struct mq_target *target = host.recording->target;
    struct change *change = &host.changes[host.change_count];
    uint64_t value = 0;

    change->address = choose(fetch, word);
    if (kind % 4 != 3)
        target->ops->read(target, kind % 4 == 2 ? choose(first, second)
                          : change->address, 8, NULL, &value);
    if (kind % 4 == 0)
        value = first < 128 ? second : ~(uint64_t)second;
    if (kind % 4 == 1)
        value += (uint64_t)(int64_t)(int8_t)first * (second % 9);
    memcpy(change->bytes, &value, sizeof value);
    host.change_count++;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };

    if (recording_count == 0)
        load_recordings();
    FUZZ_CHECK(recording_count > 0);
    host.recording = &recordings[fuzz_byte(&input) % recording_count];
    host.change_count = 0;
    host.failing_fetch = 12 * fuzz_byte(&input);
    host.failing_store = fuzz_byte(&input);
    while (input.length > 0 && host.change_count < CHANGES)
        take_change(&input);
    walk();
    return 0;
}

#endif
