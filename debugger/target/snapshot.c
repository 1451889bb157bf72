/* snapshot.c - target that reads an mqsnap file */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/number.h"

#define MAGIC "mqsnap "

enum {
    largest_text = 1 << 30,     /* bytes of a file */
    largest_type = 1 << 20,     /* bytes of a struct */
    largest_rank = 1 << 30,
    most_types = 4096,
    longest_name = 1024
};

/* The contents of a snapshot.  Names point into the text; each array is sorted
 * once the whole text has been read.
 */
struct type {
    struct mq_target_type shown;
    struct mq_member *members;
    size_t room;
};

struct field {                  /* a member whose type may come later */
    const char *type;
    struct mq_member member;
    size_t line;
};

struct symbol {
    const char *name;
    uint64_t address;
    bool is_function;
};

struct site {
    uint64_t address;
    struct mq_frame frame;
};

struct span {                /* [first, last] of memory */
    uint64_t first, last;
    unsigned char *bytes;       /* of a data line, null for a range */
    size_t line;
};

struct list {
    void *items;
    size_t count, room;
};

struct snapshot {
    struct mq_target target;
    char *name, *text;
    struct list types, fields, symbols, sites, ranges, data;
    struct mq_stack stack;
};

struct reader {
    struct snapshot *snapshot;
    struct mq_error *error;
    char *next;                 /* the rest of the text */
    size_t line;
    int version;                /* of the format */
    unsigned headers;           /* bits of enum header that were met */
};

enum header {
    header_endian, header_short, header_int, header_long, header_longlong,
    header_pointer, header_image, header_rank,
    header_call, header_count = header_call     /* that has to be there */
};

static const char *const header_names[] = {
    "endian", "size short", "size int", "size long", "size longlong",
    "size pointer", "image", "rank", "call"
};

/* ==== The text ========================================================== */

#define REFUSE_AT(reader, line, ...) \
    mq_fail_at((reader)->error, (reader)->snapshot->name, (line), __VA_ARGS__)
#define REFUSE(reader, ...) REFUSE_AT((reader), (reader)->line, __VA_ARGS__)

static enum mq_result no_memory(struct reader *reader)
{
    return REFUSE(reader, "out of memory");
}

/* Appends SIZE zero bytes to LIST; null if out of memory. */
static void *append(struct reader *reader, struct list *list, size_t size)
{
    if (mq_array_reserve(&list->items, size, list->count + 1, &list->room, "",
                         NULL) != mq_ok) {
        no_memory(reader);
        return NULL;
    }
    return memset((char *)list->items + list->count++ * size, 0, size);
}

/* The next word of LINE, or null; words are separated by single spaces. */
static char *next_word(char **line)
{
    char *word = *line, *end;

    if (word == NULL)
        return NULL;
    end = strchr(word, ' ');
    if (end != NULL)
        *end++ = '\0';
    *line = end;
    return word;
}

/* Cuts LINE into COUNT words, neither more nor fewer, none of them empty. */
static enum mq_result cut(struct reader *reader, const char *keyword,
                          char *line, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        words[i] = next_word(&line);
        if (words[i] == NULL || words[i][0] == '\0')
            return REFUSE(reader, "'%s' lacks a value", keyword);
        if (strlen(words[i]) > longest_name && i == 0)
            return REFUSE(reader, "the name is longer than %d characters",
                          longest_name);
    }
    if (line != NULL)
        return REFUSE(reader, "'%s' has too many values", keyword);
    return mq_ok;
}

static enum mq_result parse_number(struct reader *reader, const char *word,
                                   uint64_t largest, uint64_t *number)
{
    const char *end = word;
    enum mq_number result = mq_number_read(&end, largest, number);

    if (result == mq_number_none || *end != '\0')
        return REFUSE(reader, "'%.40s' is not a decimal number", word);
    if (result != mq_number_ok)
        return REFUSE(reader, "%.40s is too large", word);
    return mq_ok;
}

static enum mq_result parse_address(struct reader *reader, const char *word,
                                    uint64_t *address)
{
    const char *end = word;
    enum mq_number result = mq_number_read_hex(&end, address);

    if (result == mq_number_none || *end != '\0')
        return REFUSE(reader, "'%.40s' is not an address like 0x1f0", word);
    if (result != mq_number_ok)
        return REFUSE(reader, "%.40s is too large for an address", word);
    return mq_ok;
}

/* ==== Lines ============================================================= */

static enum mq_result meet_header(struct reader *reader, enum header header)
{
    if (reader->headers & 1u << header)
        return REFUSE(reader, "a second '%s' line", header_names[header]);
    reader->headers |= 1u << header;
    return mq_ok;
}

/* Takes a header whose value is one WORD. */
static enum mq_result take_header(struct reader *reader, enum header header,
                                  char *line, const char **word)
{
    char *value;

    if (cut(reader, header_names[header], line, 1, &value) != mq_ok
        || meet_header(reader, header) != mq_ok)
        return mq_failed;
    *word = value;
    return mq_ok;
}

static enum mq_result read_endian(struct reader *reader, char *line)
{
    const char *word;

    if (take_header(reader, header_endian, line, &word) != mq_ok)
        return mq_failed;
    if (strcmp(word, "little") != 0 && strcmp(word, "big") != 0)
        return REFUSE(reader, "endian is 'little' or 'big', not '%.40s'",
                      word);
    reader->snapshot->target.byte_order =
        word[0] == 'b' ? mq_big_endian : mq_little_endian;
    return mq_ok;
}

static enum mq_result read_size(struct reader *reader, char *line)
{
    static const char *const names[] = {
        "short", "int", "long", "longlong", "pointer"
    };
    struct mq_type_sizes *sizes = &reader->snapshot->target.sizes;
    int *places[] = {
        &sizes->short_size, &sizes->int_size, &sizes->long_size,
        &sizes->long_long_size, &sizes->pointer_size
    };
    char *words[2];
    uint64_t size = 0;
    unsigned i;

    if (cut(reader, "size", line, 2, words) != mq_ok)
        return mq_failed;
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(words[0], names[i]) == 0)
            break;
    if (i == sizeof names / sizeof names[0])
        return REFUSE(reader, "there is no basic type '%.40s'", words[0]);
    if (meet_header(reader, (enum header)(header_short + i)) != mq_ok
        || parse_number(reader, words[1], 8, &size) != mq_ok)
        return mq_failed;
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return REFUSE(reader, "a %s has 1, 2, 4 or 8 bytes, not %s", names[i],
                      words[1]);
    *places[i] = (int)size;
    return mq_ok;
}

static enum mq_result read_image(struct reader *reader, char *line)
{
    return take_header(reader, header_image, line,
                       &reader->snapshot->target.image);
}

static enum mq_result read_rank(struct reader *reader, char *line)
{
    const char *word;
    uint64_t rank;

    if (take_header(reader, header_rank, line, &word) != mq_ok)
        return mq_failed;
    if (strcmp(word, "-1") == 0) {          /* not known when recorded */
        reader->snapshot->target.rank = -1;
        return mq_ok;
    }
    if (parse_number(reader, word, largest_rank, &rank) != mq_ok)
        return mq_failed;
    reader->snapshot->target.rank = (int)rank;
    return mq_ok;
}

static enum mq_result read_call(struct reader *reader, char *line)
{
    return take_header(reader, header_call, line,
                       &reader->snapshot->target.call);
}

static enum mq_result read_type(struct reader *reader, char *line)
{
    struct type *type;
    char *words[2];
    uint64_t size;

    if (cut(reader, "type", line, 2, words) != mq_ok
        || parse_number(reader, words[1], largest_type, &size) != mq_ok)
        return mq_failed;
    type = append(reader, &reader->snapshot->types, sizeof *type);
    if (type == NULL)
        return mq_failed;
    if (reader->snapshot->types.count > most_types)
        return REFUSE(reader, "more than %d types", most_types);
    type->shown.name = words[0];
    type->shown.size = size;
    return mq_ok;
}

static enum mq_result read_field(struct reader *reader, char *line)
{
    struct field *field;
    char *words[4];
    uint64_t offset, size;

    if (cut(reader, "field", line, 4, words) != mq_ok
        || parse_number(reader, words[2], largest_type, &offset) != mq_ok
        || parse_number(reader, words[3], largest_type, &size) != mq_ok)
        return mq_failed;
    field = append(reader, &reader->snapshot->fields, sizeof *field);
    if (field == NULL)
        return mq_failed;
    field->type = words[0];
    field->member.name = words[1];
    field->member.offset = offset;
    field->member.size = size;
    field->line = reader->line;
    return mq_ok;
}

static enum mq_result read_name(struct reader *reader, char *line,
                                const char *keyword, bool is_function)
{
    struct symbol *symbol;
    char *words[2];
    uint64_t address;

    if (cut(reader, keyword, line, 2, words) != mq_ok
        || parse_address(reader, words[1], &address) != mq_ok)
        return mq_failed;
    symbol = append(reader, &reader->snapshot->symbols, sizeof *symbol);
    if (symbol == NULL)
        return mq_failed;
    symbol->name = words[0];
    symbol->address = address;
    symbol->is_function = is_function;
    return mq_ok;
}

static enum mq_result read_symbol(struct reader *reader, char *line)
{
    return read_name(reader, line, "symbol", false);
}

static enum mq_result read_function(struct reader *reader, char *line)
{
    return read_name(reader, line, "function", true);
}

/* Adds LENGTH bytes of memory at ADDRESS to LIST. */
static enum mq_result add_span(struct reader *reader, struct list *list,
                                  uint64_t address, uint64_t length,
                                  unsigned char *bytes)
{
    struct span *span;

    if (length == 0)
        return REFUSE(reader, "it has no bytes");
    if (length - 1 > UINT64_MAX - address)
        return REFUSE(reader, "it runs past the last address");
    span = append(reader, list, sizeof *span);
    if (span == NULL)
        return mq_failed;
    span->first = address;
    span->last = address + (length - 1);
    span->bytes = bytes;
    span->line = reader->line;
    return mq_ok;
}

static enum mq_result read_range(struct reader *reader, char *line)
{
    char *words[2];
    uint64_t address, length;

    if (cut(reader, "range", line, 2, words) != mq_ok
        || parse_address(reader, words[0], &address) != mq_ok
        || parse_number(reader, words[1], UINT64_MAX, &length) != mq_ok)
        return mq_failed;
    return add_span(reader, &reader->snapshot->ranges, address, length,
                       NULL);
}

/* Turns the hex digits of the line into bytes in place. */
static enum mq_result read_data(struct reader *reader, char *line)
{
    char *words[2];
    uint64_t address;
    size_t length, decoded;

    if (cut(reader, "data", line, 2, words) != mq_ok
        || parse_address(reader, words[0], &address) != mq_ok)
        return mq_failed;
    length = strlen(words[1]);
    if (length % 2 != 0)
        return REFUSE(reader, "an odd number of hex digits");
    decoded = mq_hex_decode(words[1], length / 2, words[1]);
    if (decoded < length / 2)
        return REFUSE(reader, "'%.2s' is not a byte in hex",
                      words[1] + 2 * decoded);
    return add_span(reader, &reader->snapshot->data, address, decoded,
                       (unsigned char *)words[1]);
}

static enum mq_result read_handler(struct reader *reader, char *rest)
{
    int handler = 0;

    if (reader->version < 5)
        return REFUSE(reader, "unknown keyword 'handler'");
    while (rest != NULL && handler < mq_handlers
           && strcmp(rest, mq_handler_names[handler]) != 0)
        handler++;
    if (rest == NULL || handler == mq_handlers)
        return REFUSE(reader, "'handler' needs a handler effect");
    reader->snapshot->target.handler = (enum mq_handler)handler;
    return mq_ok;
}

static enum mq_result read_late_sends(struct reader *reader, char *rest)
{
    if (rest != NULL && rest[0] != '\0')
        return REFUSE(reader, "'late-sends' has no values");
    reader->snapshot->target.late_sends = true;
    return mq_ok;
}

static enum mq_result read_site(struct reader *reader, char *line)
{
    struct mq_error why;
    const char *address = next_word(&line);
    static char nothing[] = "";
    char *words = line != NULL ? line : nothing;
    struct site *site;

    if (reader->version < 4)
        return REFUSE(reader, "unknown keyword 'site'");
    if (address == NULL)
        return REFUSE(reader, "'site' lacks a value");
    site = append(reader, &reader->snapshot->sites, sizeof *site);
    if (site == NULL || parse_address(reader, address, &site->address) != mq_ok)
        return mq_failed;
    if (mq_frame_take(&words, &why, &site->frame) != mq_ok)
        return REFUSE(reader, "%s", why.text);
    return *words == '\0' ? mq_ok
           : REFUSE(reader, "'site' has too many values");
}

static const struct {
    const char *keyword;
    enum mq_result (*read)(struct reader *, char *line);
} keywords[] = {
    { "endian", read_endian }, { "size", read_size }, { "image", read_image },
    { "rank", read_rank }, { "call", read_call }, { "type", read_type },
    { "field", read_field }, { "symbol", read_symbol },
    { "function", read_function }, { "range", read_range },
    { "data", read_data }, { "late-sends", read_late_sends },
    { "handler", read_handler },
    { "site", read_site }
};

static enum mq_result read_line(struct reader *reader, char *line)
{
    static char nothing[] = "";
    struct mq_target *target = &reader->snapshot->target;
    char *rest = line;
    const char *keyword = next_word(&rest);
    char *words = rest != NULL ? rest : nothing;
    struct mq_error why;
    enum mq_result result;

    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(keyword, keywords[i].keyword) == 0)
            return keywords[i].read(reader, rest);
    result = reader->version < 2 ? mq_absent
        : strcmp(keyword, "activity") == 0 && reader->version >= 3
        ? mq_activity_take(&words, &why, &target->activity)
        : strcmp(keyword, "looks") == 0
        ? mq_looks_take(&words, &why, &target->looks)
        : mq_stack_take(&reader->snapshot->stack, keyword, &words, &why);
    if (result == mq_absent)
        return REFUSE(reader, "unknown keyword '%.40s'", keyword);
    if (result != mq_ok)
        return REFUSE(reader, "%s", why.text);
    return *words == '\0' ? mq_ok
           : REFUSE(reader, "'%s' has too many values", keyword);
}

/* The next line that is not a comment, or null at the end of the text.  A last
 * line without its newline was cut off and does not count.
 */
static char *next_line(struct reader *reader)
{
    static const char mark[] = MQ_SNAPSHOT_ORIGIN;
    char *line, *end;

    do {
        line = reader->next;
        end = strchr(line, '\n');
        if (end == NULL)
            return NULL;
        *end = '\0';
        reader->next = end + 1;
        reader->line++;
        /* A comment that says what was recorded is the target's name then. */
        if (strncmp(line, mark, sizeof mark - 1) == 0
            && line[sizeof mark - 1] != '\0')
            reader->snapshot->target.name = line + sizeof mark - 1;
    } while (line[0] == '#');
    return line;
}

static enum mq_result read_version(struct reader *reader)
{
    char *line = reader->next;
    size_t length = strcspn(line, "\n");

    reader->line = 1;
    if (strncmp(line, MAGIC, strlen(MAGIC)) != 0)
        return REFUSE(reader, "this is not a snapshot: the first line is not "
                      "'mqsnap 1' to 'mqsnap %d'", mq_snapshot_version);
    if (length != 8 || line[7] < '1' || line[7] > '0' + mq_snapshot_version)
        return REFUSE(reader, "version %.*s of the format is not known, only "
                      "versions 1 to %d are",
                      (int)(length > 47 ? 40 : length - 7), line + 7,
                      mq_snapshot_version);
    reader->version = line[7] - '0';
    reader->next += length + (line[length] == '\n');
    return mq_ok;
}

static enum mq_result read_lines(struct reader *reader)
{
    char *line;

    if (read_version(reader) != mq_ok)
        return mq_failed;
    while ((line = next_line(reader)) != NULL) {
        if (strcmp(line, "end") == 0)
            break;
        if (read_line(reader, line) != mq_ok)
            return mq_failed;
    }
    if (line == NULL) {
        reader->line++;
        return REFUSE(reader, "the snapshot is truncated: there is no 'end' "
                      "line");
    }
    if (reader->next[0] != '\0') {
        reader->line++;
        return REFUSE(reader, "there is more after the 'end' line");
    }
    for (int i = 0; i < header_count; i++)
        if (!(reader->headers & 1u << i))
            return REFUSE(reader, "there is no '%s' line", header_names[i]);
    return mq_ok;
}

/* ==== Order ============================================================= */

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : x->is_function - y->is_function;
}

static int compare_types(const void *a, const void *b)
{
    const struct type *x = a, *y = b;

    return strcmp(x->shown.name, y->shown.name);
}

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

static void sort_list(struct list *list, size_t size,
                      int (*compare)(const void *, const void *))
{
    if (list->count > 0)
        qsort(list->items, list->count, size, compare);
}

static enum mq_result check_names(struct reader *reader)
{
    const struct snapshot *snapshot = reader->snapshot;
    const struct symbol *symbols = snapshot->symbols.items;
    const struct type *types = snapshot->types.items;

    for (size_t i = 1; i < snapshot->symbols.count; i++)
        if (compare_symbols(&symbols[i - 1], &symbols[i]) == 0)
            return REFUSE(reader, "the symbol '%.80s' is given twice",
                          symbols[i].name);
    for (size_t i = 1; i < snapshot->types.count; i++)
        if (compare_types(&types[i - 1], &types[i]) == 0)
            return REFUSE(reader, "the type '%.80s' is given twice",
                          types[i].shown.name);
    return mq_ok;
}

static struct type *type_named(const struct snapshot *snapshot,
                               const char *name)
{
    struct type wanted = { .shown = { .name = name } };

    if (snapshot->types.count == 0)
        return NULL;
    return bsearch(&wanted, snapshot->types.items, snapshot->types.count,
                   sizeof wanted, compare_types);
}

static enum mq_result settle_fields(struct reader *reader)
{
    const struct list *fields = &reader->snapshot->fields;
    const struct field *field = fields->items;

    for (size_t i = 0; i < fields->count; i++, field++) {
        struct type *type = type_named(reader->snapshot, field->type);
        const struct mq_member *member = &field->member;

        if (type == NULL)
            return REFUSE_AT(reader, field->line,
                             "no 'type' line names '%.40s'", field->type);
        if (member->offset + member->size > type->shown.size)
            return REFUSE_AT(reader, field->line, "the member ends at byte %"
                             PRIu64 " of a type of %" PRIu64 " bytes",
                             member->offset + member->size, type->shown.size);
        if (mq_array_add(&type->members, sizeof *member,
                         &type->shown.member_count, &type->room, member, "",
                         NULL) != mq_ok)
            return no_memory(reader);
        type->shown.members = type->members;
    }
    return mq_ok;
}

static enum mq_result check_overlaps(struct reader *reader,
                                     const struct list *list, const char *what)
{
    const struct span *spans = list->items;

    for (size_t i = 1; i < list->count; i++) {
        const struct span *a = &spans[i - 1], *b = &spans[i];

        if (b->first <= a->last)
            return REFUSE_AT(reader, b->line > a->line ? b->line : a->line,
                             "the %s overlaps that of line %zu", what,
                             b->line > a->line ? a->line : b->line);
    }
    return mq_ok;
}

/* The span that holds ADDRESS, else the first one after it, else null. */
static const struct span *span_at(const struct list *list,
                                        uint64_t address)
{
    const struct span *spans = list->items;
    size_t before = mq_array_below(spans, list->count, sizeof *spans,
                                   offsetof(struct span, last), address);

    return before < list->count ? &spans[before] : NULL;
}

/* Whether all bytes of [first, last] are in ranges; adjacent ones join. */
static bool is_mapped(const struct list *ranges, uint64_t first, uint64_t last)
{
    for (;;) {
        const struct span *range = span_at(ranges, first);

        if (range == NULL || range->first > first)
            return false;
        if (range->last >= last)
            return true;
        first = range->last + 1;
    }
}

static bool is_outside(const struct list *ranges, const struct span *data)
{
    const struct span *range = span_at(ranges, data->first);

    return range == NULL || range->first > data->last;
}

/* There are recordings that list an object of the stack, in several lines, but
 * not the stack's range.  How many lines from DATA on are such an object: they
 * are let pass, and like all memory outside every range cannot be read.
 */
static size_t count_stray_lines(const struct snapshot *snapshot,
                                const struct span *data)
{
    const struct span *end = (const struct span *)snapshot->data.items
                                + snapshot->data.count;
    const struct type *types = snapshot->types.items;
    const struct span *last = data;

    if (!is_outside(&snapshot->ranges, data))
        return 0;
    while (last + 1 < end && last[1].first == last->last + 1
           && is_outside(&snapshot->ranges, last + 1))
        last++;
    for (size_t i = 0; i < snapshot->types.count && last > data; i++)
        if (types[i].shown.size == last->last - data->first + 1)
            return (size_t)(last - data) + 1;
    return 0;
}

static enum mq_result check_memory(struct reader *reader)
{
    struct snapshot *snapshot = reader->snapshot;
    const struct span *data = snapshot->data.items;
    size_t stray;

    if (check_overlaps(reader, &snapshot->ranges, "range") != mq_ok
        || check_overlaps(reader, &snapshot->data, "data") != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < snapshot->data.count; i += stray > 0 ? stray : 1) {
        stray = 0;
        if (is_mapped(&snapshot->ranges, data[i].first, data[i].last))
            continue;
        stray = count_stray_lines(snapshot, &data[i]);
        if (stray == 0)
            return REFUSE_AT(reader, data[i].line,
                             "the data are outside every range");
    }
    return mq_ok;
}

static enum mq_result settle(struct reader *reader)
{
    struct snapshot *snapshot = reader->snapshot;
    struct mq_target *target = &snapshot->target;

    sort_list(&snapshot->types, sizeof(struct type), compare_types);
    sort_list(&snapshot->symbols, sizeof(struct symbol), compare_symbols);
    sort_list(&snapshot->ranges, sizeof(struct span), compare_spans);
    sort_list(&snapshot->data, sizeof(struct span), compare_spans);
    target->threads = snapshot->stack.threads;
    target->thread_count = snapshot->stack.thread_count;
    if (target->thread_count > 0)
        target->call = target->threads[0].call;
    if (check_names(reader) != mq_ok || settle_fields(reader) != mq_ok)
        return mq_failed;
    return check_memory(reader);
}

/* ==== The target ======================================================== */

static enum mq_result snapshot_read(struct mq_target *target, uint64_t address,
                                    size_t length, struct mq_error *error,
                                    void *bytes)
{
    const struct snapshot *snapshot = (const struct snapshot *)target;
    const struct span *data, *end;
    uint64_t last = address + (length - 1);

    if (length == 0)
        return mq_ok;
    if (address == 0 || last < address
        || !is_mapped(&snapshot->ranges, address, last))
        return mq_fail(error, "%s: the snapshot does not hold %zu bytes at "
                       "0x%llx", target->name, length,
                       (unsigned long long)address);
    memset(bytes, 0, length);
    data = span_at(&snapshot->data, address);
    end = (const struct span *)snapshot->data.items + snapshot->data.count;
    for (; data != NULL && data < end && data->first <= last; data++) {
        uint64_t from = data->first > address ? data->first : address;
        uint64_t to = data->last < last ? data->last : last;

        memcpy((char *)bytes + (from - address),
               data->bytes + (from - data->first), (size_t)(to - from + 1));
    }
    return mq_ok;
}

static enum mq_result snapshot_find_name(struct mq_target *target,
                                         const char *name, bool is_function,
                                         struct mq_error *error,
                                         uint64_t *address)
{
    const struct snapshot *snapshot = (const struct snapshot *)target;
    struct symbol wanted = { name, 0, is_function };
    const struct symbol *symbol = NULL;

    (void)error;
    if (snapshot->symbols.count > 0)
        symbol = bsearch(&wanted, snapshot->symbols.items,
                         snapshot->symbols.count, sizeof wanted,
                         compare_symbols);
    if (symbol == NULL)
        return mq_absent;
    *address = symbol->address;
    return mq_ok;
}

static enum mq_result snapshot_find_type(struct mq_target *target,
                                         const char *name,
                                         struct mq_error *error,
                                         const struct mq_target_type **result)
{
    const struct type *type = type_named((const struct snapshot *)target, name);

    (void)error;
    if (type == NULL)
        return mq_absent;
    *result = &type->shown;
    return mq_ok;
}

static enum mq_result snapshot_find_site(struct mq_target *target,
                                         uint64_t address,
                                         struct mq_error *error,
                                         struct mq_frame *frame)
{
    const struct list *sites = &((const struct snapshot *)target)->sites;
    const struct site *all = sites->items;

    (void)error;
    for (size_t i = 0; i < sites->count; i++) {
        if (all[i].address == address) {
            *frame = all[i].frame;
            return mq_ok;
        }
    }
    return mq_absent;
}

static void snapshot_destroy(struct mq_target *target)
{
    struct snapshot *snapshot = (struct snapshot *)target;
    struct type *types = snapshot->types.items;

    for (size_t i = 0; i < snapshot->types.count; i++)
        free(types[i].members);
    mq_stack_deinit(&snapshot->stack);
    free(snapshot->types.items);
    free(snapshot->fields.items);
    free(snapshot->symbols.items);
    free(snapshot->sites.items);
    free(snapshot->ranges.items);
    free(snapshot->data.items);
    free(snapshot->text);
    free(snapshot->name);
    free(snapshot);
}

static const struct mq_target_ops snapshot_ops = {
    .read = snapshot_read,
    .find_name = snapshot_find_name,
    .find_type = snapshot_find_type,
    .find_site = snapshot_find_site,
    .destroy = snapshot_destroy
};

/* Takes TEXT, which is terminated and made by malloc, also on failure. */
static enum mq_result parse(const char *file, char *text, size_t length,
                            struct mq_error *error, struct mq_target **target)
{
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    struct reader reader = { snapshot, error, text, 1, 0, 0 };
    enum mq_result result = mq_ok;
    size_t line = 1;

    if (snapshot == NULL) {
        free(text);
        return mq_fail_memory(error, "while reading a snapshot");
    }
    snapshot->text = text;
    snapshot->target.ops = &snapshot_ops;
    snapshot->name = strdup(file);
    snapshot->target.name = snapshot->name;
    if (snapshot->name == NULL) {
        snapshot_destroy(&snapshot->target);
        return mq_fail_memory(error, "while reading a snapshot");
    }
    for (size_t i = 0; i < length && result == mq_ok; i++) {
        if (text[i] == '\n')
            line++;
        else if (text[i] < ' ' || text[i] > '~')
            result = REFUSE_AT(&reader, line, "byte 0x%02x is not text",
                               (unsigned char)text[i]);
    }
    if (result == mq_ok && read_lines(&reader) == mq_ok
        && settle(&reader) == mq_ok) {
        *target = &snapshot->target;
        return mq_ok;
    }
    snapshot_destroy(&snapshot->target);
    return mq_failed;
}

enum mq_result mq_snapshot_parse(const char *file, const char *text,
                                 size_t length, struct mq_error *error,
                                 struct mq_target **target)
{
    char *copy = malloc(length + 1);

    if (copy == NULL)
        return mq_fail_memory(error, "while reading a snapshot");
    memcpy(copy, text, length);
    copy[length] = '\0';
    return parse(file, copy, length, error, target);
}

/* All of STREAM, terminated, or only its beginning if that is not a snapshot's
 * or a zero byte is in it: such a file may have no end, or be nothing but
 * holes.
 */
static char *read_all(FILE *stream, size_t *length)
{
    char *text = NULL, *larger;
    size_t room = 1 << 16, got = 0, step;
    bool has_zero;

    for (;;) {
        larger = room <= largest_text ? realloc(text, room + 1) : NULL;
        if (larger == NULL) {
            free(text);
            errno = room <= largest_text ? ENOMEM : EFBIG;
            return NULL;
        }
        text = larger;
        step = fread(text + got, 1, room - got, stream);
        has_zero = memchr(text + got, '\0', step) != NULL;
        got += step;
        if (got < room || has_zero || memcmp(text, MAGIC, strlen(MAGIC)) != 0)
            break;
        room *= 2;
    }
    if (ferror(stream)) {
        free(text);
        return NULL;
    }
    text[got] = '\0';
    *length = got;
    return text;
}

enum mq_result mq_snapshot_open(const char *file, struct mq_error *error,
                                struct mq_target **target)
{
    size_t length = 0;
    struct stat status;
    FILE *stream;
    char *text;
    int cause;

    if (stat(file, &status) == 0 && S_ISFIFO(status.st_mode))
        return mq_fail(error, "%s is a pipe, which can be read only once: "
                       "write what comes out of it to a file first", file);
    stream = fopen(file, "r");
    if (stream == NULL)
        return mq_fail(error, "%s: %s", file, strerror(errno));
    errno = 0;
    text = read_all(stream, &length);
    cause = errno;
    fclose(stream);
    if (text == NULL)
        return mq_fail(error, "%s: cannot be read: %s", file,
                       strerror(cause));
    return parse(file, text, length, error, target);
}
