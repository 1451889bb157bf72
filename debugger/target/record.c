/* record.c - recording of a target's answers as a snapshot
 *
 * A target that notes what is asked of another, to write a snapshot.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "target/snapshot.h"

enum {
    largest_struct = 1 << 16,   /* that is recorded as a whole */
    piece = 32,                 /* bytes that are left out if all are zero */
    bytes_in_a_line = 512
};

struct symbol {
    char *name;
    uint64_t address;
    bool is_function;
};

struct site {
    uint64_t address;
    struct mq_frame frame;      /* its texts are those of the target that is
                                   asked */
};

struct type {
    struct type *next;
    struct mq_target_type shown;    /* its members are the subject's */
    char *name;
    uint64_t first, last, end;  /* of the members that were asked for: where
                                   the first and the last one begin, and the
                                   last one ends; all 0 before */
};

struct span {
    uint64_t address;
    size_t length;
    unsigned char *bytes;
};

struct recorder {
    struct mq_target target;
    struct mq_target *subject;
    struct symbol *symbols;
    size_t symbol_count, symbol_room;
    struct site *sites;
    size_t site_count, site_room;
    struct type *types;
    struct span *spans;
    size_t span_count, span_room;
    char *missing_type;
    bool keeps_memory;
    bool is_complete;           /* the subject is not asked again */
};

static struct recorder *recorder_of(struct mq_target *target)
{
    return (struct recorder *)target;
}

static enum mq_result no_memory(struct mq_error *error)
{
    return mq_fail_memory(error, "while recording");
}

/* ==== Names ============================================================= */

static enum mq_result note_symbol(struct recorder *recorder, const char *name,
                                  uint64_t address, bool is_function,
                                  struct mq_error *error)
{
    struct symbol symbol = { NULL, address, is_function };

    for (size_t i = 0; i < recorder->symbol_count; i++)
        if (recorder->symbols[i].is_function == is_function
            && strcmp(recorder->symbols[i].name, name) == 0)
            return mq_ok;
    symbol.name = strdup(name);
    if (symbol.name == NULL
        || mq_array_add(&recorder->symbols, sizeof symbol,
                        &recorder->symbol_count, &recorder->symbol_room,
                        &symbol, "while recording", NULL) != mq_ok) {
        free(symbol.name);
        return no_memory(error);
    }
    return mq_ok;
}

static enum mq_result record_find_name(struct mq_target *target,
                                       const char *name, bool is_function,
                                       struct mq_error *error,
                                       uint64_t *address)
{
    struct recorder *recorder = recorder_of(target);
    uint64_t found = 0;
    enum mq_result result =
        (is_function ? mq_target_find_function : mq_target_find_symbol)(
            recorder->subject, name, error, &found);

    if (result == mq_ok)
        result = note_symbol(recorder, name, found, is_function, error);
    if (result == mq_ok)
        *address = found;
    return result;
}

static enum mq_result record_find_site(struct mq_target *target,
                                       uint64_t address, struct mq_error *error,
                                       struct mq_frame *frame)
{
    struct recorder *recorder = recorder_of(target);
    const struct mq_target_ops *ops = recorder->subject->ops;
    struct site site = { .address = address };
    enum mq_result result = ops->find_site == NULL ? mq_absent
        : ops->find_site(recorder->subject, address, error, &site.frame);

    if (result == mq_ok)
        result = mq_array_add(&recorder->sites, sizeof site,
                              &recorder->site_count, &recorder->site_room,
                              &site, "while recording", error);
    if (result == mq_ok)
        *frame = site.frame;
    return result;
}

/* ==== Types ============================================================= */

static enum mq_result record_find_type(struct mq_target *target,
                                       const char *name, struct mq_error *error,
                                       const struct mq_target_type **result)
{
    struct recorder *recorder = recorder_of(target);
    const struct mq_target_type *found;
    struct type *type;
    enum mq_result status;

    for (type = recorder->types; type != NULL; type = type->next) {
        if (strcmp(type->name, name) == 0) {
            *result = &type->shown;
            return mq_ok;
        }
    }
    /* A snapshot's names are single words. */
    status = name[0] == '\0' || strchr(name, ' ') != NULL ? mq_absent
             : mq_target_find_type(recorder->subject, name, error, &found);
    if (status == mq_absent && recorder->missing_type == NULL)
        recorder->missing_type = strdup(name);
    if (status != mq_ok)
        return status;
    type = calloc(1, sizeof *type);
    if (type == NULL || (type->name = strdup(name)) == NULL) {
        free(type);
        return no_memory(error);
    }
    type->shown = *found;
    type->shown.name = type->name;
    type->next = recorder->types;
    recorder->types = type;
    *result = &type->shown;
    return mq_ok;
}

static enum mq_result record_find_member(struct mq_target *target,
                                         const struct mq_target_type *type,
                                         const char *name,
                                         struct mq_error *error,
                                         uint64_t *offset)
{
    struct type *noted;

    (void)error;
    for (noted = recorder_of(target)->types; &noted->shown != type;)
        noted = noted->next;
    for (size_t i = 0; i < type->member_count; i++) {
        const struct mq_member *member = &type->members[i];
        const bool is_only = noted->end == 0;

        if (strcmp(member->name, name) != 0)
            continue;
        if (is_only || member->offset < noted->first)
            noted->first = member->offset;
        if (is_only || member->offset >= noted->last) {
            noted->last = member->offset;
            noted->end = member->offset + member->size;
        }
        *offset = member->offset;
        return mq_ok;
    }
    return mq_absent;
}

/* ==== Memory ============================================================ */

static enum mq_result note_span(struct recorder *recorder, uint64_t address,
                                   size_t length, const void *bytes,
                                   struct mq_error *error)
{
    struct span span = { address, length, malloc(length) };

    if (span.bytes == NULL
        || mq_array_add(&recorder->spans, sizeof span, &recorder->span_count,
                        &recorder->span_room, &span, "while recording", NULL)
           != mq_ok) {
        free(span.bytes);
        return no_memory(error);
    }
    memcpy(span.bytes, bytes, length);
    return mq_ok;
}

static enum mq_result record_read(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    struct recorder *recorder = recorder_of(target);
    enum mq_result result = recorder->subject->ops->read(recorder->subject,
                                                         address, length, error,
                                                         bytes);

    if (result == mq_ok && length > 0 && recorder->keeps_memory)
        result = note_span(recorder, address, length, bytes, error);
    return result;
}

/* Notes all of a struct if the read at ADDRESS was of the members of TYPE that
 * were asked for: it begins with the first and ends within the last of them.
 * One member alone could be anything.  What cannot be read is left out.
 */
static enum mq_result note_struct(struct recorder *recorder, uint64_t address,
                                  size_t length, const struct type *type,
                                  unsigned char *bytes, struct mq_error *error)
{
    struct mq_target *subject = recorder->subject;
    size_t size = (size_t)type->shown.size;

    if (type->first == type->last || size > largest_struct
        || address < type->first
        || length <= type->last - type->first
        || length > type->end - type->first || length >= size)
        return mq_ok;
    address -= type->first;
    if (subject->ops->read(subject, address, size, NULL, bytes) != mq_ok)
        return mq_ok;
    return note_span(recorder, address, size, bytes, error);
}

static enum mq_result note_structs(struct recorder *recorder,
                                   struct mq_error *error)
{
    size_t i, count = recorder->span_count;
    unsigned char *bytes = malloc(largest_struct);
    enum mq_result result = bytes != NULL ? mq_ok : no_memory(error);

    for (i = 0; result == mq_ok && i < count; i++) {
        struct span asked = recorder->spans[i];
        const struct type *type = recorder->types;

        for (; result == mq_ok && type != NULL; type = type->next)
            result = note_struct(recorder, asked.address, asked.length, type,
                                 bytes, error);
    }
    free(bytes);
    return result;
}

/* ==== Writing =========================================================== */

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->length > y->length ? -1 : x->length < y->length;
}

/* How many of LENGTH bytes come before a piece that is zero, or fit in a line;
 * pieces begin at multiples of their size.
 */
static size_t count_written(uint64_t address, const unsigned char *bytes,
                            size_t length)
{
    static const unsigned char zeros[piece];
    size_t written = 0;

    while (written < length && written + piece <= bytes_in_a_line) {
        size_t step = piece - (size_t)((address + written) % piece);

        if (step > length - written)
            step = length - written;
        if (memcmp(bytes + written, zeros, step) == 0)
            break;
        written += step;
    }
    return written;
}

static void write_line(uint64_t address, const unsigned char *bytes,
                       size_t length, FILE *file)
{
    static const char digits[] = "0123456789abcdef";
    char hex[2 * bytes_in_a_line + 1], *end = hex;

    for (size_t i = 0; i < length; i++) {
        *end++ = digits[bytes[i] >> 4];
        *end++ = digits[bytes[i] & 15];
    }
    *end++ = '\n';
    fprintf(file, "data 0x%" PRIx64 " ", address);
    fwrite(hex, 1, (size_t)(end - hex), file);
}

/* Writes the LENGTH bytes at ADDRESS that are not zero. */
static void write_data(uint64_t address, const unsigned char *bytes,
                       size_t length, FILE *file)
{
    while (length > 0) {
        size_t step = count_written(address, bytes, length);

        if (step > 0)
            write_line(address, bytes, step, file);
        else
            step = piece - (size_t)(address % piece);
        if (step > length)
            step = length;
        address += step;
        bytes += step;
        length -= step;
    }
}

/* Writes the contiguous part of spans FIRST and on, and returns the place of
 * the first one that does not.
 */
static size_t write_range(const struct recorder *recorder, size_t first,
                          FILE *file)
{
    const struct span *all = recorder->spans;
    uint64_t begin = all[first].address, length = 0, written = 0;
    size_t next;

    for (next = first; next < recorder->span_count
         && all[next].address - begin <= length; next++) {
        uint64_t end = all[next].address - begin + all[next].length;

        if (end > length)
            length = end;
    }
    fprintf(file, "range 0x%" PRIx64 " %" PRIu64 "\n", begin, length);
    for (size_t i = first; i < next; i++) {
        uint64_t from = all[i].address - begin;
        uint64_t end = from + all[i].length;

        if (end <= written)
            continue;
        if (from < written)
            from = written;
        write_data(begin + from,
                   all[i].bytes + (from - (all[i].address - begin)),
                   (size_t)(end - from), file);
        written = end;
    }
    return next;
}

static void write_header(const struct recorder *recorder, int rank, FILE *file)
{
    const struct mq_target *subject = recorder->subject;
    const struct mq_type_sizes *sizes = &subject->sizes;
    bool is_known = subject->activity.doing != mq_doing_unknown;

    fprintf(file, "mqsnap %d\n" MQ_SNAPSHOT_ORIGIN "%s\n",
            subject->handler != mq_handler_harmless ? 5
            : recorder->site_count > 0 ? 4 : is_known ? 3 : 2,
            subject->name);
    fprintf(file, "endian %s\nsize short %d\nsize int %d\nsize long %d\n"
            "size longlong %d\nsize pointer %d\nimage %s\nrank %d\n",
            subject->byte_order == mq_little_endian ? "little" : "big",
            sizes->short_size, sizes->int_size, sizes->long_size,
            sizes->long_long_size, sizes->pointer_size, subject->image, rank);
    if (subject->looks.count > 0)
        mq_looks_write(&subject->looks, file);
    if (is_known)
        mq_activity_write(&subject->activity, file);
    if (subject->late_sends)
        fputs("late-sends\n", file);
    if (subject->handler != mq_handler_harmless)
        fprintf(file, "handler %s\n", mq_handler_names[subject->handler]);
    if (subject->thread_count > 0)
        mq_stack_write(subject->threads, subject->thread_count, file);
    else if (subject->call != NULL)
        fprintf(file, "call %s\n", subject->call);
}

enum mq_result mq_record_complete(struct mq_target *target,
                                  struct mq_error *error)
{
    struct recorder *recorder = recorder_of(target);

    recorder->is_complete = note_structs(recorder, error) == mq_ok;
    return recorder->is_complete ? mq_ok : mq_failed;
}

enum mq_result mq_record_write(struct mq_target *target, int rank,
                               struct mq_error *error, FILE *file)
{
    struct recorder *recorder = recorder_of(target);

    if (!recorder->is_complete && note_structs(recorder, error) != mq_ok)
        return mq_failed;
    write_header(recorder, rank, file);
    for (const struct type *it = recorder->types; it != NULL; it = it->next) {
        fprintf(file, "type %s %" PRIu64 "\n", it->name, it->shown.size);
        for (size_t i = 0; i < it->shown.member_count; i++)
            fprintf(file, "field %s %s %" PRIu64 " %" PRIu64 "\n", it->name,
                    it->shown.members[i].name, it->shown.members[i].offset,
                    it->shown.members[i].size);
    }
    for (size_t i = 0; i < recorder->symbol_count; i++)
        fprintf(file, "%s %s 0x%" PRIx64 "\n",
                recorder->symbols[i].is_function ? "function" : "symbol",
                recorder->symbols[i].name, recorder->symbols[i].address);
    for (size_t i = 0; i < recorder->site_count; i++) {
        fprintf(file, "site 0x%" PRIx64 " ", recorder->sites[i].address);
        mq_frame_write(&recorder->sites[i].frame, file);
    }
    if (recorder->span_count > 0)
        qsort(recorder->spans, recorder->span_count,
              sizeof *recorder->spans, compare_spans);
    for (size_t i = 0; i < recorder->span_count;)
        i = write_range(recorder, i, file);
    fputs("end\n", file);
    return mq_ok;
}

const char *mq_record_missing_type(const struct mq_target *target)
{
    return ((const struct recorder *)target)->missing_type;
}

bool mq_record_has_symbols(const struct mq_target *target)
{
    const struct recorder *recorder = (const struct recorder *)target;

    for (size_t i = 0; i < recorder->symbol_count; i++) {
        const char *name = recorder->symbols[i].name;

        /* Every program has these, by the C library. */
        if (strcmp(name, "environ") != 0 && strcmp(name, "_r_debug") != 0)
            return true;
    }
    return false;
}

bool mq_record_has_types(const struct mq_target *target)
{
    return ((const struct recorder *)target)->types != NULL;
}

/* ==== Begin and end ===================================================== */

static void record_destroy(struct mq_target *target)
{
    struct recorder *recorder = recorder_of(target);

    for (size_t i = 0; i < recorder->symbol_count; i++)
        free(recorder->symbols[i].name);
    for (size_t i = 0; i < recorder->span_count; i++)
        free(recorder->spans[i].bytes);
    while (recorder->types != NULL) {
        struct type *next = recorder->types->next;

        free(recorder->types->name);
        free(recorder->types);
        recorder->types = next;
    }
    free(recorder->symbols);
    free(recorder->sites);
    free(recorder->spans);
    free(recorder->missing_type);
    free(recorder);
}

static const struct mq_target_ops record_ops = {
    .read = record_read,
    .find_name = record_find_name,
    .find_type = record_find_type,
    .find_member = record_find_member,
    .find_site = record_find_site,
    .destroy = record_destroy
};

enum mq_result mq_record_open(struct mq_target *subject, bool keeps_memory,
                              struct mq_error *error,
                              struct mq_target **result)
{
    struct recorder *recorder;

    if (subject->ops->find_member != NULL)
        return mq_fail(error, "%s cannot be recorded: it does not know the "
                       "members of types", subject->name);
    recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL)
        return no_memory(error);
    recorder->target = *subject;
    recorder->target.ops = &record_ops;
    recorder->subject = subject;
    recorder->keeps_memory = keeps_memory;
    *result = &recorder->target;
    return mq_ok;
}
