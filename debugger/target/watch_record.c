/* watch_record.c - target that reads a record of libmqwatch
 *
 * Opening a record: all of its tables are checked, then answered from.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/watch_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interned.h"
#include "base/text.h"
#include "include/mqwatch.h"
#include "include/mqwatch_record.h"

enum {
    largest_file = 1 << 30,
    behind = 4096,              /* bytes that are read beyond what is in use: a
                                   reader of a text asks for more than it has */
    most_hollow = 1 << 24,      /* bytes of holes that are no reason yet to
                                   refuse a file: copies of records have some */
    most_segments = 256,
    most_symbols = 256,
    most_layouts = 1024,
    most_modules = 1 << 13,
    most_threads = 1 << 10,
    largest_rank = 1 << 30,
    largest_type = 1 << 16,     /* bytes of a struct */
    longest_text = 4096,
    longest_call = 64,
    least_head = offsetof(struct mqwatch_record, life)
};

struct record {
    struct mq_target target;
    struct mq_watch_head head;
    struct mq_code_reader *code;
    struct mq_interned texts;
    const char *name;
    unsigned char *bytes;
    size_t length;
    size_t segment_count;
    struct mqwatch_segment *segments;
    size_t symbol_count;
    struct symbol {
        const char *name;
        uint64_t address;
        bool is_function;
    } *symbols;
    size_t type_count;
    struct mq_target_type *types;
    struct mq_member *members;
    size_t module_count;
    struct module {
        const char *path, *build_id;
        uint64_t bias, first, end;
    } *modules;
    struct mq_stack stack;
};

/* ---- The file's bytes ---------------------------------------------------- */

static struct record *record_of(struct mq_target *target)
{
    return (struct record *)target;
}

static enum mq_result refuse(const struct record *record,
                             struct mq_error *error, const char *what)
{
    return mq_fail(error, "%s is a damaged record of libmqwatch: %s; if its "
                   "process runs, try again", record->name, what);
}

/* The member of a struct that begins at BYTES. */
#define NUMBER(record, bytes, type, member)                                    \
    mq_decode_unsigned((record)->target.byte_order,                            \
                       (bytes) + offsetof(struct type, member),                \
                       (int)sizeof(((struct type *)0)->member))
#define SIGNED(record, bytes, type, member)                                    \
    mq_decode_signed((record)->target.byte_order,                              \
                     (bytes) + offsetof(struct type, member),                  \
                     (int)sizeof(((struct type *)0)->member))

/* The text at AT, cut to what is allowed, as the record's own and harmless to a
 * terminal; null if there is none.
 */
static enum mq_result take_text(struct record *record, uint64_t at,
                                size_t longest, struct mq_error *error,
                                const char **text)
{
    char own[longest_text];
    const void *kept;
    size_t length = 0;

    *text = NULL;
    if (at == 0 || at >= record->length)
        return mq_ok;
    while (length < longest && length < sizeof own - 1
           && length < record->length - at && record->bytes[at + length] != 0) {
        const char *it = (const char *)&record->bytes[at + length];

        own[length] = '?';
        if (*it >= ' ' && *it < 0x7f)
            own[length] = *it;
        length++;
    }
    own[length] = '\0';
    if (mq_intern(&record->texts, own, length + 1, error, &kept) != mq_ok)
        return mq_failed;
    *text = kept;
    return mq_ok;
}

/* A table of the head, whose element's first SIZE bytes are known here. */
struct table {
    const unsigned char *bytes;
    size_t count, step;
};

/* Finds it, and makes room at *ROWS for as many elements of EACH bytes. */
static enum mq_result find_table(const struct record *record, size_t place,
                                 size_t most, size_t size, size_t each,
                                 struct mq_error *error, struct table *table,
                                 void *rows)
{
    const unsigned char *head = record->bytes + place;
    uint64_t at = NUMBER(record, head, mqwatch_table, at);
    uint64_t count = NUMBER(record, head, mqwatch_table, count);
    uint64_t step = NUMBER(record, head, mqwatch_table, size);
    size_t room = 0;

    if (count > most || step > record->length || (count > 0 && step < size)
        || at > record->length || count * step > record->length - at)
        return refuse(record, error,
                      "a table of its head points outside the file");
    *table = (struct table){ record->bytes + at, (size_t)count, (size_t)step };
    return mq_array_reserve(rows, each, (size_t)count + 1, &room,
                            "for a record", error);
}

#define FIND_TABLE(record, member, most, type, table, rows)                    \
    find_table(record, offsetof(struct mqwatch_record, member), most,          \
               sizeof(struct type), sizeof **(rows), error, table, rows)

/* ---- Memory -------------------------------------------------------------- */

static enum mq_result take_segments(struct record *record,
                                    struct mq_error *error)
{
    struct table table;

    if (FIND_TABLE(record, segments, most_segments, mqwatch_segment, &table,
                   &record->segments) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < table.count; i++) {
        const unsigned char *row = table.bytes + i * table.step;
        struct mqwatch_segment it = {
            .address = NUMBER(record, row, mqwatch_segment, address),
            .at = NUMBER(record, row, mqwatch_segment, at),
            .size = NUMBER(record, row, mqwatch_segment, size)
        };

        if (it.at >= record->length)
            continue;
        if (it.size > record->length - it.at)
            it.size = record->length - it.at;
        if (it.size > 0 && it.address <= UINT64_MAX - it.size)
            record->segments[record->segment_count++] = it;
    }
    return mq_ok;
}

static enum mq_result record_read(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    const struct record *record = record_of(target);

    for (size_t i = 0; address != 0 && i < record->segment_count; i++) {
        const struct mqwatch_segment *it = &record->segments[i];

        if (address < it->address || address - it->address > it->size
            || length > it->size - (address - it->address))
            continue;
        memcpy(bytes, record->bytes + it->at + (address - it->address), length);
        return mq_ok;
    }
    return mq_fail(error, "%s has no memory of %zu bytes at 0x%" PRIx64,
                   record->name, length, address);
}

/* ---- Symbols and types --------------------------------------------------- */

static enum mq_result take_symbols(struct record *record,
                                   struct mq_error *error)
{
    struct table table;

    if (FIND_TABLE(record, symbols, most_symbols, mqwatch_symbol, &table,
                   &record->symbols) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < table.count; i++) {
        const unsigned char *row = table.bytes + i * table.step;
        struct symbol *it = &record->symbols[record->symbol_count];

        it->address = NUMBER(record, row, mqwatch_symbol, address);
        it->is_function = NUMBER(record, row, mqwatch_symbol, is_function) != 0;
        if (take_text(record, NUMBER(record, row, mqwatch_symbol, name),
                      longest_text, error, &it->name) != mq_ok)
            return mq_failed;
        record->symbol_count += it->name != NULL;
    }
    return mq_ok;
}

/* A row is a type or a member of the type before. */
static enum mq_result take_layouts(struct record *record,
                                   struct mq_error *error)
{
    struct mq_target_type *type = NULL;
    struct table table;
    size_t members = 0;
    const char *name;

    if (FIND_TABLE(record, layouts, most_layouts, mqwatch_layout, &table,
                   &record->types) != mq_ok)
        return mq_failed;
    record->members = calloc(table.count + 1, sizeof *record->members);
    if (record->members == NULL)
        return mq_fail_memory(error, "for a record");
    for (size_t i = 0; i < table.count; i++) {
        const unsigned char *row = table.bytes + i * table.step;
        uint64_t offset = NUMBER(record, row, mqwatch_layout, offset);
        uint64_t size = NUMBER(record, row, mqwatch_layout, size);

        if (take_text(record, NUMBER(record, row, mqwatch_layout, name),
                      longest_text, error, &name) != mq_ok)
            return mq_failed;
        if (name == NULL || size > largest_type)
            return refuse(record, error,
                          "one of its types has no name or no size");
        if (offset == MQWATCH_TYPE) {
            type = &record->types[record->type_count++];
            *type = (struct mq_target_type){
                name, size, record->members + members, 0
            };
            continue;
        }
        if (type == NULL)
            return refuse(record, error, "a member has no type");
        if (offset > type->size || size > type->size - offset)
            return refuse(record, error, "a member is not inside its type");
        record->members[members++] = (struct mq_member){ name, offset, size };
        type->member_count++;
    }
    return mq_ok;
}

static enum mq_result record_find_name(struct mq_target *target,
                                       const char *name, bool is_function,
                                       struct mq_error *error,
                                       uint64_t *address)
{
    const struct record *record = record_of(target);

    (void)error;
    for (size_t i = 0; i < record->symbol_count; i++) {
        const struct symbol *it = &record->symbols[i];

        if (it->name != NULL && it->is_function == is_function
            && strcmp(it->name, name) == 0) {
            *address = it->address;
            return mq_ok;
        }
    }
    return mq_absent;
}

static enum mq_result record_find_type(struct mq_target *target,
                                       const char *name,
                                       struct mq_error *error,
                                       const struct mq_target_type **type)
{
    const struct record *record = record_of(target);

    (void)error;
    for (size_t i = 0; i < record->type_count; i++) {
        if (strcmp(record->types[i].name, name) == 0) {
            *type = &record->types[i];
            return mq_ok;
        }
    }
    return mq_absent;
}

/* ---- Code ---------------------------------------------------------------- */

static enum mq_result take_modules(struct record *record,
                                   struct mq_error *error)
{
    struct table table;

    if (FIND_TABLE(record, modules, most_modules, mqwatch_module, &table,
                   &record->modules) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < table.count; i++) {
        const unsigned char *row = table.bytes + i * table.step;
        const unsigned char *id = row + offsetof(struct mqwatch_module,
                                                 build_id);
        uint64_t size = NUMBER(record, row, mqwatch_module, build_id_size);
        struct module *it = &record->modules[record->module_count++];
        char text[2 * MQWATCH_BUILD_ID + 1];
        const void *kept = NULL;

        it->bias = NUMBER(record, row, mqwatch_module, bias);
        it->first = NUMBER(record, row, mqwatch_module, first);
        it->end = NUMBER(record, row, mqwatch_module, end);
        it->build_id = NULL;
        if (take_text(record, NUMBER(record, row, mqwatch_module, path),
                      longest_text, error, &it->path) != mq_ok)
            return mq_failed;
        if (size == 0 || size > MQWATCH_BUILD_ID)
            continue;
        for (size_t j = 0; j < size; j++)
            snprintf(text + 2 * j, 3, "%02x", id[j]);
        if (mq_intern(&record->texts, text, 2 * (size_t)size + 1, error, &kept)
            != mq_ok)
            return mq_failed;
        it->build_id = kept;
    }
    return mq_ok;
}

static enum mq_result record_find_site(struct mq_target *target,
                                       uint64_t address, struct mq_error *error,
                                       struct mq_frame *frame)
{
    struct record *record = record_of(target);
    const struct module *it = record->modules;
    char text[longest_text + 32];
    struct mq_code_place place;
    enum mq_result result = mq_absent;
    const void *kept;
    int length;

    for (size_t i = 0; i < record->module_count; i++, it++)
        if (address > it->first && address <= it->end)
            break;
    if (it == record->modules + record->module_count || it->path == NULL
        || it->path[0] == '\0')
        return mq_absent;
    place = (struct mq_code_place){
        it->path, it->build_id, address - it->bias, it == record->modules
    };
    if (record->code != NULL)
        result = record->code->find(record->code, &place, error, frame);
    if (result != mq_absent)
        return result;
    /* Without the file its name is known, and where in it. */
    length = snprintf(text, sizeof text, "%s+0x%" PRIx64,
                      mq_text_last_name(place.path), place.address);
    if (mq_intern(&record->texts, text, (size_t)length + 1, error, &kept)
        != mq_ok)
        return mq_failed;
    *frame = (struct mq_frame){
        .function = kept, .object = place.is_program ? NULL : place.path
    };
    return mq_ok;
}

/* ---- Threads ------------------------------------------------------------- */

struct thread {
    unsigned char bytes[sizeof(struct mqwatch_thread)];
};

#define THREAD(record, thread, member)                                         \
    NUMBER(record, (thread)->bytes, mqwatch_thread, member)

/* Adds THREAD with the function that it is in; that it is in none if that has
 * no name of an MPI function.
 */
static enum mq_result add_thread(struct record *record,
                                 const struct thread *thread,
                                 struct mq_error *error)
{
    uint64_t call = THREAD(record, thread, call);
    char name[longest_call] = "-";
    struct mq_frame frame = { 0 };
    const void *kept;
    enum mq_result result;

    if (call != 0
        && (mq_target_read_string(&record->target, call, sizeof name, NULL,
                                  name) != mq_ok
            || strncmp(name, "MPI_", 4) != 0
            || name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                           "abcdefghijklmnopqrstuvwxyz0123456789")] != '\0'))
        return refuse(record, error,
                      "a thread is in a function without a name");
    if (mq_intern(&record->texts, name, strlen(name) + 1, error, &kept)
        != mq_ok
        || mq_stack_add_thread(&record->stack, kept, error) != mq_ok)
        return mq_failed;
    record->stack.threads[record->stack.thread_count - 1].number =
        (int32_t)SIGNED(record, thread->bytes, mqwatch_thread, id);
    result = record_find_site(&record->target, THREAD(record, thread, site),
                              error, &frame);
    if (call == 0 || result == mq_absent || frame.function == NULL)
        return result == mq_failed ? mq_failed : mq_ok;
    return mq_stack_add_frame(&record->stack, &frame, error);
}

/* Live threads.  *FIRST is set to the one that represents the process: the main
 * thread if it is in MPI, else the first that is, else any.
 */
static enum mq_result find_threads(struct record *record, uint64_t address,
                                   uint64_t size, struct mq_error *error,
                                   struct thread *threads, size_t *count,
                                   size_t *first)
{
    const size_t known = size < sizeof *threads ? (size_t)size
                         : sizeof *threads;
    int64_t main = record->head.process;
    int best = -1;

    for (int i = 0; i < most_threads && address != 0; i++) {
        struct thread *it = &threads[*count];
        int64_t since;
        int worth;

        memset(it, 0, sizeof *it);
        if (record_read(&record->target, address, known, NULL, it->bytes)
            != mq_ok)
            return refuse(record, error,
                          "the list of its threads points outside the file");
        address = THREAD(record, it, next);
        since = SIGNED(record, it->bytes, mqwatch_thread, since);
        if (since > record->head.latest)
            record->head.latest = since;
        if (THREAD(record, it, id) == 0)
            continue;
        worth = (THREAD(record, it, call) != 0 ? 2 : 0)
                + (SIGNED(record, it->bytes, mqwatch_thread, id) == main);
        if (worth > best) {
            best = worth;
            *first = *count;
        }
        ++*count;
    }
    return mq_ok;
}

/* Of a process whose threads all may call MPI nothing is known of those that
 * have not called it: one represents them.
 */
static enum mq_result add_threads(struct record *record,
                                  const struct thread *threads, size_t count,
                                  size_t first, bool is_multiple,
                                  struct mq_error *error)
{
    if (add_thread(record, &threads[first], error) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < count; i++)
        if (i != first && add_thread(record, &threads[i], error) != mq_ok)
            return mq_failed;
    for (size_t i = 0; i < record->stack.thread_count; i++)
        record->stack.threads[i].site = record->stack.threads[i].frame_count > 0
                                        ? 0 : -1;
    record->head.since = SIGNED(record, threads[first].bytes, mqwatch_thread,
                                since);
    return is_multiple ? mq_stack_add_thread(&record->stack, "-", error)
                       : mq_ok;
}

/* The data of the process, from the variable mqwatch on. */
static enum mq_result take_state(struct record *record, struct mq_error *error)
{
    unsigned char bytes[sizeof(struct mqwatch)];
    struct mq_watch_head *head = &record->head;
    struct thread *threads;
    size_t count = 0, first = 0;
    uint64_t address = 0;
    enum mq_result result;

    if (mq_target_find_symbol(&record->target, MQWATCH_SYMBOL, NULL, &address)
        != mq_ok
        || record_read(&record->target, address, sizeof bytes, NULL, bytes)
           != mq_ok
        || memcmp(bytes, MQWATCH_MAGIC, strlen(MQWATCH_MAGIC)) != 0)
        return refuse(record, error, "it has no variable " MQWATCH_SYMBOL);
    head->is_finalized = NUMBER(record, bytes, mqwatch, state)
                         == MQWATCH_FINALIZED;
    threads = calloc(most_threads, sizeof *threads);
    if (threads == NULL)
        return mq_fail_memory(error, "for a record");
    result = find_threads(record, NUMBER(record, bytes, mqwatch, threads),
                          NUMBER(record, bytes, mqwatch, thread_size), error,
                          threads, &count, &first);
    if (result == mq_ok && count > 0)
        result = add_threads(record, threads, count, first,
                             NUMBER(record, bytes, mqwatch, concurrency)
                             == MQWATCH_AT_ONCE,
                             error);
    free(threads);
    return result;
}

/* ---- The head ------------------------------------------------------------ */

static enum mq_result take_order(struct record *record, struct mq_error *error)
{
    const unsigned char *order = record->bytes + offsetof(struct mqwatch_record,
                                                          order);

    for (int i = 0; i < 2; i++) {
        record->target.byte_order = i == 0 ? mq_little_endian : mq_big_endian;
        if (mq_decode_unsigned(record->target.byte_order, order, 4)
            == MQWATCH_RECORD_ORDER)
            return mq_ok;
    }
    return refuse(record, error, "it has no byte order");
}

static enum mq_result take_sizes(struct record *record, struct mq_error *error)
{
    const unsigned char *sizes = record->bytes + offsetof(struct mqwatch_record,
                                                          sizes);
    bool are_valid = sizes[4] >= 4;

    record->target.sizes = (struct mq_type_sizes){ sizes[0], sizes[1], sizes[2],
                                                   sizes[3], sizes[4] };
    for (int i = 0; i < 5; i++)
        are_valid &= sizes[i] == 2 || sizes[i] == 4 || sizes[i] == 8;
    return are_valid ? mq_ok
           : refuse(record, error, "its types have invalid sizes");
}

/* The sum of what is in use, as mqwatch_record.h has it. */
static uint64_t sum_up(const struct record *record, uint64_t used)
{
    const size_t life = offsetof(struct mqwatch_record, life);
    uint64_t sum = 1;

    for (size_t i = 0; i < used; i++)
        if (i - life >= sizeof(struct mqwatch_life))
            sum = (sum ^ record->bytes[i]) * MQWATCH_SUM_FACTOR;
    return sum | 1;
}

/* Signs of life, which records of version 1.0 lack, and what they prove. */
static enum mq_result take_life(struct record *record, struct mq_error *error)
{
    const unsigned char *bytes = record->bytes;
    const unsigned char *life = bytes + offsetof(struct mqwatch_record, life);
    struct mq_watch_head *head = &record->head;
    uint64_t used = NUMBER(record, bytes, mqwatch_record, used);
    int64_t seen, since, until;
    uint64_t sum;

    head->clock = "";
    if (NUMBER(record, bytes, mqwatch_record, size)
            < sizeof(struct mqwatch_record)
        || used < sizeof(struct mqwatch_record) || used > record->length)
        return mq_ok;
    seen = SIGNED(record, life, mqwatch_life, seen);
    since = SIGNED(record, life, mqwatch_life, since);
    until = SIGNED(record, life, mqwatch_life, until);
    sum = NUMBER(record, life, mqwatch_life, sum);
    if (seen > head->latest)
        head->latest = seen;
    if (sum == 0 || since <= 0 || until < since
        || sum != sum_up(record, used))
        return mq_ok;
    head->still_since = since;
    head->still_until = until;
    return take_text(record, (uint64_t)(life - bytes)
                             + offsetof(struct mqwatch_life, clock),
                     sizeof ((struct mqwatch_life *)0)->clock, error,
                     &head->clock);
}

static enum mq_result take_head(struct record *record, struct mq_error *error)
{
    const unsigned char *bytes = record->bytes;
    struct mq_watch_head *head = &record->head;

    if (record->length < least_head
        || memcmp(bytes, MQWATCH_RECORD_MAGIC, strlen(MQWATCH_RECORD_MAGIC))
           != 0)
        return mq_fail(error,
                       "%s is not a record of libmqwatch that this version "
                       "knows", record->name);
    if (take_order(record, error) != mq_ok
        || take_sizes(record, error) != mq_ok)
        return mq_failed;
    if (NUMBER(record, bytes, mqwatch_record, size) < least_head)
        return refuse(record, error, "its head is too short");
    head->rank = (int)SIGNED(record, bytes, mqwatch_record, rank);
    head->world_size = (int)SIGNED(record, bytes, mqwatch_record, world_size);
    head->process = (int)SIGNED(record, bytes, mqwatch_record, process);
    head->began = SIGNED(record, bytes, mqwatch_record, began);
    head->outside = NUMBER(record, bytes, mqwatch_record, outside);
    head->latest = head->began;
    if (head->rank < -1 || head->rank > largest_rank || head->world_size < 0
        || head->world_size > largest_rank)
        return refuse(record, error, "its rank is invalid");
    if (take_text(record, offsetof(struct mqwatch_record, host), 255, error,
                  &head->host) != mq_ok)
        return mq_failed;
    if (take_text(record, offsetof(struct mqwatch_record, job), 255, error,
                  &head->job) != mq_ok)
        return mq_failed;
    return take_life(record, error);
}

static void record_destroy(struct mq_target *target)
{
    struct record *record = record_of(target);

    mq_interned_deinit(&record->texts);
    mq_stack_deinit(&record->stack);
    free(record->segments);
    free(record->symbols);
    free(record->types);
    free(record->members);
    free(record->modules);
    free(record->bytes);
    free(record);
}

static const struct mq_target_ops record_ops = {
    .read = record_read,
    .find_name = record_find_name,
    .find_type = record_find_type,
    .find_site = record_find_site,
    .destroy = record_destroy
};

static enum mq_result take_all(struct record *record, struct mq_error *error)
{
    struct mq_target *target = &record->target;

    if (take_head(record, error) != mq_ok
        || take_segments(record, error) != mq_ok
        || take_symbols(record, error) != mq_ok
        || take_layouts(record, error) != mq_ok
        || take_modules(record, error) != mq_ok
        || take_state(record, error) != mq_ok)
        return mq_failed;
    target->image = record->module_count > 0 && record->modules[0].path != NULL
                    ? record->modules[0].path : record->name;
    target->rank = record->head.rank;
    target->world_size = record->head.world_size;
    target->thread_count = record->stack.thread_count;
    target->threads = record->stack.threads;
    target->call = target->thread_count > 0 ? target->threads[0].call : NULL;
    return mq_ok;
}

enum mq_result mq_watch_record_parse(const char *name, unsigned char *bytes,
                                     size_t length,
                                     struct mq_code_reader *code,
                                     struct mq_error *error,
                                     struct mq_target **target)
{
    struct record *record = calloc(1, sizeof *record);
    const void *kept = NULL;

    if (record == NULL) {
        free(bytes);
        return mq_fail_memory(error, "for a record");
    }
    record->target.ops = &record_ops;
    record->bytes = bytes;
    record->length = length;
    record->code = code;
    if (mq_intern(&record->texts, name, strlen(name) + 1, error, &kept)
        == mq_ok) {
        record->name = record->target.name = kept;
        if (take_all(record, error) == mq_ok) {
            *target = &record->target;
            return mq_ok;
        }
    }
    record_destroy(&record->target);
    return mq_failed;
}

const struct mq_watch_head *mq_watch_record_head(const struct mq_target *target)
{
    return &((const struct record *)target)->head;
}

/* ---- The file ------------------------------------------------------------ */

/* Whether there are more holes in the first LENGTH bytes of FILE than bytes: no
 * process leaves such a file, which would cost as much as one that is full.
 */
static bool is_hollow(int file, size_t length)
{
    off_t end = (off_t)length, at = 0, kept = 0;

    while (at < end) {
        off_t begin = lseek(file, at, SEEK_DATA);

        if (begin < 0 && errno != ENXIO)        /* not known on this system */
            return false;
        if (begin < 0 || begin >= end)
            break;
        at = lseek(file, begin, SEEK_HOLE);
        if (at <= begin)
            return false;
        kept += (at < end ? at : end) - begin;
    }
    return end - kept > most_hollow && end - kept > kept;
}

/* How much of FILE is in use: no more is read. */
static enum mq_result find_used(const char *name, int file,
                                struct mq_error *error, size_t *used)
{
    struct record head = { .name = name };
    unsigned char bytes[least_head];
    struct stat status;
    uint64_t length;

    if (fstat(file, &status) != 0
        || pread(file, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return mq_fail(error,
                       "%s is not a record of libmqwatch that this version "
                       "knows", name);
    head.bytes = bytes;
    if (take_order(&head, error) != mq_ok)
        return mq_failed;
    length = NUMBER(&head, bytes, mqwatch_record, used);
    if (length < sizeof bytes || status.st_size < 0
        || length > (uint64_t)status.st_size || length > largest_file)
        return mq_fail(error, "%s is a damaged record of libmqwatch: it is "
                       "shorter than its header states", name);
    if (is_hollow(file, (size_t)length))
        return mq_fail(error, "%s is a damaged record of libmqwatch: most "
                       "of the file is a hole", name);
    length += behind;
    *used = (size_t)(length < (uint64_t)status.st_size
                     ? length : (uint64_t)status.st_size);
    return mq_ok;
}

enum mq_result mq_watch_record_open(const char *name, int file,
                                    struct mq_code_reader *code,
                                    struct mq_error *error,
                                    struct mq_target **target)
{
    size_t length = 0, done = 0;
    unsigned char *bytes;

    if (find_used(name, file, error, &length) != mq_ok)
        return mq_failed;
    bytes = malloc(length);
    if (bytes == NULL)
        return mq_fail_memory(error, "for a record");
    while (done < length) {
        ssize_t more = pread(file, bytes + done, length - done, (off_t)done);

        if (more <= 0) {
            free(bytes);
            return mq_fail(error, "%s cannot be read: %s", name,
                           more < 0 ? strerror(errno) : "it became shorter");
        }
        done += (size_t)more;
    }
    return mq_watch_record_parse(name, bytes, length, code, error, target);
}
