/* fuzz_dll.c - fuzzer: DLL with arbitrary process and callbacks
 *
 *     1 byte      byte order and sizes of the basic types
 *     2 bytes     for each row of the DLL's table what a look-up answers: an
 *                 offset, an address, or that it is missing
 *     2 bytes     length of the memory, which begins at address 0
 *     memory, then a script: an instruction and its argument, one byte each
 *
 * Two bytes are little-endian.  Numbers are reduced to what fits.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpich_dll_defs.h"
#include "tests/fuzz/fuzz.h"

enum {
    PROCESSES = 2,
    STEPS = 400,            /* of the script that are taken */
    MISSING = 0xffff
};

struct mqs_image_ {
    mqs_image_info *info;
};

struct mqs_process_ {
    mqs_process_info *info;
};

struct mqs_type_ {
    enum row row;
};

static const struct {
    const char *name;
    enum row type;
    const char *alias;
} names[row_count] = {
#define TYPE(type, need, place, alias) \
    [row_##type] = { #type, row_##type, alias },
#define MEMBER(type, name, read, need) \
    [row_##type##_##name] = { #name, row_##type, NULL },
#define SYMBOL(name, need) [row_##name] = { #name, row_NOWHERE, NULL },
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, SYMBOL)
#undef TYPE
#undef MEMBER
#undef SYMBOL
};

/* The debugger and what it shows. */
static struct {
    struct mqs_image_ image;
    struct mqs_process_ processes[PROCESSES];
    struct mqs_type_ types[row_count];
    int answers[row_count];
    bool big_endian, forgets;
    mqs_target_type_sizes sizes;
    unsigned char memory[1 << 16];
    size_t length;
    unsigned failing_fetch, failing_store;      /* 0: none, 1: the next one */
    size_t blocks;
    uint64_t fetches;                           /* in this call */
} host;

/* ---- Callbacks ----------------------------------------------------------- */

static bool fails(unsigned *countdown)
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

/* Names are asked for in the table's order: the search goes on behind the one
 * that was found last.
 */
static enum row find_row(enum row type, const char *name)
{
    static int latest;

    for (int i = 1; i <= row_count; i++) {
        int row = (latest + i) % row_count;

        if (strcmp(names[row].name, name) != 0
            || (type != row_NOWHERE
                && (row == (int)type || names[row].type != type)))
            continue;
        latest = row;
        return (enum row)row;
    }
    return row_NOWHERE;
}

static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *sizes)
{
    FUZZ_CHECK(process != NULL);
    *sizes = host.sizes;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *address)
{
    enum row row = find_row(row_NOWHERE, name);

    FUZZ_CHECK(image == &host.image && row != row_NOWHERE);
    if (host.answers[row] == MISSING)
        return mqs_no_information;
    if (address != NULL)
        *address = (mqs_taddr_t)host.answers[row];
    return mqs_ok;
}

static int find_function(mqs_image *image, char *name,
                         mqs_lang_code language, mqs_taddr_t *address)
{
    FUZZ_CHECK(language == mqs_lang_c);
    return find_symbol(image, name, address);
}

static bool is_alias(const char *name)
{
    int row;

    for (row = 0; row < row_count; row++) {
        if (names[row].alias != NULL && strcmp(names[row].alias, name) == 0)
            return true;
    }
    return false;
}

/* No program has the types of aliases. */
static mqs_type *find_type(mqs_image *image, char *name,
                           mqs_lang_code language)
{
    enum row row = find_row(row_NOWHERE, name);

    if (is_alias(name))
        return NULL;
    FUZZ_CHECK(image == &host.image && row != row_NOWHERE);
    FUZZ_CHECK(language == mqs_lang_c);
    return host.answers[row] == MISSING ? NULL : &host.types[row];
}

static int field_offset(mqs_type *type, char *name)
{
    enum row row = find_row(type->row, name);

    FUZZ_CHECK(row != row_NOWHERE);
    switch (host.answers[row]) {
    case MISSING:
        return -1;
    case 0xfffe:
        return INT_MAX;
    case 0xfffd:
        return INT_MIN;
    default:
        return host.answers[row];
    }
}

static int size_of(mqs_type *type)
{
    FUZZ_CHECK(type != NULL);
    return host.answers[type->row];
}

static const mqs_image_callbacks image_callbacks = {
    get_type_sizes, find_function, find_symbol, find_type, field_offset,
    size_of
};

static int get_global_rank(mqs_process *process)
{
    return (int)(process - host.processes);
}

static mqs_image *get_image(mqs_process *process)
{
    FUZZ_CHECK(process != NULL);
    return host.forgets ? NULL : &host.image;
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int length,
                      void *data)
{
    FUZZ_CHECK(process != NULL && length > 0);
    memset(data, 0xa5, (size_t)length);
    host.fetches++;
    if (fails(&host.failing_fetch))
        return mqs_first_user_code + 4711;
    if (address == 0 || address > host.length
        || (size_t)length > host.length - address)
        return mqs_no_information;
    memcpy(data, host.memory + address, (size_t)length);
    return mqs_ok;
}

static void target_to_host(mqs_process *process, const void *in, void *out,
                           int length)
{
    const unsigned char *from = in;
    unsigned char *to = out;
    int i;

    FUZZ_CHECK(process != NULL);
    FUZZ_CHECK(length == 1 || length == 2 || length == 4 || length == 8);
    for (i = 0; i < length; i++)
        to[i] = from[host.big_endian ? length - 1 - i : i];
}

static const mqs_process_callbacks process_callbacks = {
    get_global_rank, get_image, fetch_data, target_to_host
};

/* ---- Calls --------------------------------------------------------------- */

/* Each call of the DLL's ends with this. */
static void check_code(int code)
{
    FUZZ_CHECK(host.fetches <= READS_LIMIT);
    host.fetches = 0;
    FUZZ_CHECK(code == mqs_ok || code == mqs_no_information
               || code == mqs_end_of_list || code >= mqs_first_user_code);
    FUZZ_CHECK(code != mqs_first_user_code + 4711);
    FUZZ_CHECK(mqs_dll_error_string(code)[0] != '\0');
}

static void check_message(const char *message)
{
    char text[1024];

    if (message != NULL)
        snprintf(text, sizeof text, message, "a.out");
}

static void setup_image(void)
{
    if (host.image.info == NULL)
        check_code(mqs_setup_image(&host.image, &image_callbacks));
}

static void image_has_queues(void)
{
    char *message = (char *)"%d%d%d";

    check_code(mqs_image_has_queues(&host.image, &message));
    check_message(message);
}

static void destroy_image(void)
{
    mqs_image_info *info = host.image.info;

    host.image.info = NULL;
    if (info != NULL)
        check_code(mqs_destroy_image_info(info));
}

static void setup_process(mqs_process *process)
{
    if (process->info == NULL)
        check_code(mqs_setup_process(process, &process_callbacks));
}

static void process_has_queues(mqs_process *process)
{
    char *message = (char *)"%d%d%d";

    check_code(mqs_process_has_queues(process, &message));
    check_message(message);
}

static void destroy_process(mqs_process *process)
{
    mqs_process_info *info = process->info;

    process->info = NULL;
    if (info != NULL)
        check_code(mqs_destroy_process_info(info));
}

static void get_group(mqs_process *process)
{
    mqs_communicator communicator;
    int code, *ranks;
    mqs_tword_t i;

    memset(&communicator, 0xa5, sizeof communicator);
    code = mqs_get_communicator(process, &communicator);
    check_code(code);
    if (code != mqs_ok)
        return;
    FUZZ_CHECK(memchr(communicator.name, '\0', sizeof communicator.name)
               != NULL);
    FUZZ_CHECK(communicator.size >= 0 && communicator.size <= GROUP_LIMIT);
    ranks = malloc((size_t)communicator.size * sizeof ranks[0] + 1);
    if (ranks == NULL)
        return;
    code = mqs_get_comm_group(process, ranks);
    check_code(code);
    for (i = 0; code == mqs_ok && i < communicator.size; i++)
        FUZZ_CHECK(ranks[i] >= 0);
    free(ranks);
}

static int next_operation(mqs_process *process)
{
    mqs_pending_operation operation;
    int code, i;

    memset(&operation, 0xa5, sizeof operation);
    code = mqs_next_operation(process, &operation);
    check_code(code);
    if (code != mqs_ok)
        return code;
    FUZZ_CHECK(operation.status >= mqs_st_pending
               && operation.status <= mqs_st_complete);
    FUZZ_CHECK(operation.tag_wild == 0 || operation.tag_wild == 1);
    FUZZ_CHECK(operation.system_buffer == 0 || operation.system_buffer == 1);
    for (i = 0; i < 5 && operation.extra_text[i][0] != '\0'; i++)
        FUZZ_CHECK(memchr(operation.extra_text[i], '\0',
                          sizeof operation.extra_text[i]) != NULL);
    return mqs_ok;
}

/* Takes all of a queue, over errors in its midst. */
static void take_queue(mqs_process *process, int op_class)
{
    int code = mqs_setup_operation_iterator(process, op_class);
    unsigned left = QUEUE_LIMIT + 2;

    check_code(code);
    if (code != mqs_ok && code != mqs_end_of_list)
        return;
    while (next_operation(process) != mqs_end_of_list)
        FUZZ_CHECK(--left > 0);
}

static void walk(mqs_process *process)
{
    int op_class, code;

    check_code(mqs_update_communicator_list(process));
    code = mqs_setup_communicator_iterator(process);
    for (; code == mqs_ok; code = mqs_next_communicator(process)) {
        get_group(process);
        for (op_class = 0; op_class < 3; op_class++)
            take_queue(process, op_class);
    }
    check_code(code);
}

/* ---- The script ---------------------------------------------------------- */

static void null_arguments(mqs_process *process)
{
    check_code(mqs_get_communicator(process, NULL));
    check_code(mqs_get_comm_group(process, NULL));
    check_code(mqs_next_operation(process, NULL));
    check_code(mqs_image_has_queues(&host.image, NULL));
    check_code(mqs_process_has_queues(process, NULL));
    check_code(mqs_update_communicator_list(NULL));
    check_code(mqs_setup_image(NULL, &image_callbacks));
    check_code(mqs_setup_process(NULL, &process_callbacks));
}

/* Changes something of the debugger or of what it shows. */
static void change(unsigned what, struct fuzz_input *input)
{
    unsigned number = fuzz_two_bytes(input);

    switch (what % 5) {
    case 0:
        host.failing_fetch = number;
        break;
    case 1:
        host.failing_store = number;
        break;
    case 2:
        host.memory[number] = (unsigned char)fuzz_byte(input);
        break;
    case 3:
        host.answers[number % row_count] = (int)fuzz_two_bytes(input);
        break;
    case 4:
        host.forgets = number & 1;
        break;
    }
}

static void step(unsigned instruction, struct fuzz_input *input)
{
    mqs_process *process = &host.processes[instruction >> 7];

    switch (instruction & 15) {
    case 0: walk(process); break;
    case 1: setup_image(); break;
    case 2: image_has_queues(); break;
    case 3: destroy_image(); break;
    case 4: setup_process(process); break;
    case 5: process_has_queues(process); break;
    case 6: destroy_process(process); break;
    case 7: check_code(mqs_update_communicator_list(process)); break;
    case 8: check_code(mqs_setup_communicator_iterator(process)); break;
    case 9: get_group(process); break;
    case 10: check_code(mqs_next_communicator(process)); break;
    case 11:
        check_code(mqs_setup_operation_iterator(process,
                                                (int)fuzz_byte(input) - 1));
        break;
    case 12: next_operation(process); break;
    case 13: change(fuzz_byte(input), input); break;
    case 14: null_arguments(process); break;
    case 15:
        FUZZ_CHECK(mqs_get_global_rank(process) >= -1);
        FUZZ_CHECK(mqs_dll_error_string((int)fuzz_two_bytes(input) - 100)
                   != NULL);
        break;
    }
}

static void prepare(struct fuzz_input *input)
{
    static const int widths[] = { 4, 8, 2, 4 };
    unsigned kind = fuzz_byte(input), row;

    memset(&host, 0, sizeof host);
    host.big_endian = kind & 1;
    host.sizes.short_size = 2;
    host.sizes.int_size = kind & 64 ? (int)kind - 128 : widths[kind >> 1 & 3];
    host.sizes.long_size = widths[kind >> 3 & 1];
    host.sizes.long_long_size = 8;
    host.sizes.pointer_size = kind & 128 ? (int)kind : widths[kind >> 4 & 3];
    for (row = 0; row < row_count; row++) {
        host.types[row].row = (enum row)row;
        host.answers[row] = (int)fuzz_two_bytes(input);
    }
    host.length = fuzz_two_bytes(input);
    fuzz_bytes(input, host.memory, host.length);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };
    int i;

    mqs_setup_basic_callbacks(&basic_callbacks);
    prepare(&input);
    for (i = 0; i < STEPS && input.length > 0; i++)
        step(fuzz_byte(&input), &input);
    for (i = 0; i < PROCESSES; i++)
        destroy_process(&host.processes[i]);
    destroy_image();
    FUZZ_CHECK(host.blocks == 0);
    return 0;
}
