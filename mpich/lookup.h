/* lookup.h - look-up and reading of MPICH 1.x structures
 *
 * Each DLL is one translation unit, and this file is a part of each: it is
 * included once, after the header that has the DLL's MPICH_TABLE and
 * MPICH_ERRORS and the enums row, error and need that follow from them.
 *
 *     callbacks . structures . the table . reading . error sentences
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPICH_LOOKUP_H
#define MPICH_LOOKUP_H

#include <limits.h>
#include <string.h>

#include "mpich/rows.h"

/* ==== Structures ======================================================== */

/* What there is in an image: offsets of members, 0 for other rows, below 0 for
 * what is missing.  Those of an embedded type count from the type around it.
 */
struct layout {
    int offset[row_count];
};

struct image {
    mqs_image *image;
    const mqs_image_callbacks *callbacks;
    struct layout layout;
    int status;                 /* of the latest check, -1 before the first */
};

/* The bytes from a struct's first used member to the end of its last. */
struct span {
    int offset, length;
};

/* Reads of one kind of object that may prove to be adjacent: the bytes that
 * were read last, and where the latest request was.
 */
struct stream {
    mqs_taddr_t start;          /* of what is held */
    int held;                   /* bytes, 0 for none */
    mqs_taddr_t latest;
    int is_backward;            /* each request is below the one before */
    int reach;                  /* how much the next read can take, -1 if
                                   reading ahead has failed */
    unsigned char bytes[PAGE];
};

enum stream_name {
    stream_elements,            /* list elements, communicators */
    stream_objects,             /* what they point to: handles, names */
    stream_tables,              /* groups */
    stream_count
};

/* One process, as it is read. */
struct process {
    mqs_process *process;
    const mqs_process_callbacks *callbacks;
    struct layout layout;
    struct span spans[row_count];       /* of types */
    mqs_taddr_t addresses[row_count];   /* of symbols, 0 if missing */
    mqs_target_type_sizes sizes;
    mqs_taddr_t last;           /* the highest address that the target has */
    struct stream streams[stream_count];
    uint64_t asked, taken;      /* bytes by way of the streams */
    int reads_left;             /* of the current call */
};

/* ==== Callbacks ========================================================= */

/* The one global that the interface forces. */
static const mqs_basic_callbacks *basic;

static void *allocate(size_t size)
{
    return basic->mqs_malloc_fp(size);
}

/* BLOCK may be null. */
static void release(void *block)
{
    if (block != NULL)
        basic->mqs_free_fp(block);
}

static struct image *image_of(mqs_image *image)
{
    if (basic == NULL || image == NULL)
        return NULL;
    return (struct image *)basic->mqs_get_image_info_fp(image);
}

/* ==== The table ========================================================= */

enum kind { kind_type, kind_member, kind_symbol, kind_function };
enum read { read_NONE, read_INT, read_LONG, read_POINTER, read_STRUCT };

struct row_facts {
    const char *name;
    const char *alias;          /* looked up first, or null */
    unsigned char kind, need, read;
    short type;                 /* row of the type that a member is in */
    short place;                /* row of the member that a type is in */
};

static const struct row_facts rows[row_count] = {
#define TYPE(type, need, place, alias) \
    { #type, alias, kind_type, need_##need, read_NONE, row_##type, \
      row_##place },
#define MEMBER(type, name, read, need) \
    { #name, NULL, kind_member, need_##need, read_##read, row_##type, \
      row_NOWHERE },
#define SYMBOL(name, need) \
    { #name, NULL, kind_symbol, need_##need, read_NONE, row_NOWHERE, \
      row_NOWHERE },
#define FUNCTION(name, need) \
    { #name, NULL, kind_function, need_##need, read_NONE, row_NOWHERE, \
      row_NOWHERE },
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, FUNCTION)
#undef TYPE
#undef MEMBER
#undef SYMBOL
#undef FUNCTION
};

static int exists(const struct layout *layout, enum row row)
{
    return layout->offset[row] >= 0;
}

/* The type whose read holds the bytes of ROW: the outermost one. */
static enum row outermost(enum row row)
{
    while (rows[rows[row].type].place != row_NOWHERE)
        row = (enum row)rows[rows[row].type].place;
    return (enum row)rows[row].type;
}

/* Looks ROW up and sets its slot: an offset, 0 for what is there but has none,
 * below 0 for what is missing.  TYPES has, at their rows, the types that were
 * looked up before.
 */
static void look_up(struct image *image, enum row row, mqs_type **types)
{
    const struct row_facts *facts = &rows[row];
    const mqs_image_callbacks *callbacks = image->callbacks;
    int *slot = &image->layout.offset[row];
    char *name = (char *)facts->name;
    char *alias = (char *)facts->alias;
    mqs_type **type = &types[facts->type];
    mqs_taddr_t address = 0;

    *slot = -1;
    switch (facts->kind) {
    case kind_type:
        if (alias != NULL)
            *type = callbacks->mqs_find_type_fp(image->image, alias,
                                                mqs_lang_c);
        if (*type == NULL)
            *type = callbacks->mqs_find_type_fp(image->image, name,
                                                mqs_lang_c);
        if (*type != NULL)
            *slot = 0;
        break;
    case kind_member:
        if (*type != NULL)
            *slot = callbacks->mqs_field_offset_fp(*type, name);
        break;
    case kind_symbol:
        if (callbacks->mqs_find_symbol_fp(image->image, name, &address)
            == mqs_ok)
            *slot = 0;
        break;
    case kind_function:
        if (callbacks->mqs_find_function_fp(image->image, name, mqs_lang_c,
                                            &address) == mqs_ok)
            *slot = 0;
        break;
    }
}

/* Makes the offsets of embedded members count from the outermost struct, and
 * gives a send's handle the offsets of a receive's, which it begins like, where
 * its own type has none.
 */
static void settle_offsets(struct layout *layout)
{
    static const enum row begins_alike[][2] = {
        { row_MPIR_SHANDLE_handle_type, row_MPIR_RHANDLE_handle_type },
        { row_MPIR_SHANDLE_cookie, row_MPIR_RHANDLE_cookie },
        { row_MPIR_SHANDLE_is_complete, row_MPIR_RHANDLE_is_complete }
    };
    int row;
    size_t i;

    for (row = 0; row < row_count; row++) {
        int place = rows[row].kind == kind_member
                    ? rows[rows[row].type].place : row_NOWHERE;

        if (place != row_NOWHERE && layout->offset[row] >= 0)
            layout->offset[row] += layout->offset[place];
    }
    for (i = 0; i < sizeof begins_alike / sizeof begins_alike[0]; i++) {
        if (!exists(layout, begins_alike[i][0]))
            layout->offset[begins_alike[i][0]] =
                layout->offset[begins_alike[i][1]];
    }
}

/* The first missing row that is needed for NEED, or row_NOWHERE. */
static enum row first_missing(const struct layout *layout, enum need need)
{
    int row;

    for (row = 0; row < row_count; row++) {
        if (rows[row].need == need && layout->offset[row] < 0)
            break;
    }
    return (enum row)row;
}

/* Whether every struct, with what is embedded in it, fits a stream's page. */
static int offsets_are_sane(const struct layout *layout)
{
    const int limit = PAGE / 2 - (int)sizeof(uint64_t);
    int row;

    for (row = 0; row < row_count; row++) {
        if (layout->offset[row] > limit)
            return 0;
    }
    return 1;
}

static void look_up_all(struct image *image)
{
    mqs_type *types[row_count + 1] = { NULL };
    int row;

    for (row = 0; row < row_count; row++)
        look_up(image, (enum row)row, types);
}

/* ==== Reading =========================================================== */

static int is_one_of(int size, int a, int b, int c)
{
    return size == a || size == b || size == c;
}

static int check_sizes(const mqs_target_type_sizes *sizes)
{
    if (!is_one_of(sizes->int_size, 2, 4, 8)
        || !is_one_of(sizes->long_size, 4, 8, 4)
        || !is_one_of(sizes->pointer_size, 2, 4, 8))
        return err_bad_sizes;
    return (size_t)sizes->pointer_size <= sizeof(mqs_taddr_t)
           ? mqs_ok : err_too_wide;
}

/* The bytes that a member takes in the target. */
static int width(const struct process *process, enum row row)
{
    switch (rows[row].read) {
    case read_INT:
        return process->sizes.int_size;
    case read_LONG:
        return process->sizes.long_size;
    case read_POINTER:
        return process->sizes.pointer_size;
    default:
        return 0;
    }
}

/* For each type that is read by itself, the extent of its members. */
static void find_spans(struct process *process)
{
    int row;

    memset(process->spans, 0, sizeof process->spans);
    for (row = 0; row < row_count; row++) {
        struct span *span;
        int low = process->layout.offset[row];
        int high = low + width(process, (enum row)row);

        if (high <= low || low < 0)
            continue;
        span = &process->spans[outermost((enum row)row)];
        if (span->length > 0) {
            int end = span->offset + span->length;

            low = low < span->offset ? low : span->offset;
            high = high > end ? high : end;
        }
        span->offset = low;
        span->length = high - low;
    }
}

/* Whether there are LENGTH bytes between ADDRESS and the end of the address
 * space.
 */
static int has_room(const struct process *process, mqs_taddr_t address,
                    uint64_t length)
{
    return address <= process->last && length > 0
           && length - 1 <= process->last - address;
}

/* The only place where the process is read. */
static int fetch(struct process *process, mqs_taddr_t address, int length,
                 void *bytes)
{
    if (address == 0 || process->reads_left == 0
        || !has_room(process, address, (uint64_t)length))
        return 0;
    process->reads_left--;
    return process->callbacks->mqs_fetch_data_fp(process->process, address,
                                                 length, bytes) == mqs_ok;
}

static int bytes_to_page_end(mqs_taddr_t address)
{
    return (int)(PAGE - address % PAGE);
}

/* Notes a request and decides how much to read beyond it: up to the neighbour
 * that follows if this one is a neighbour of the latest, then twice as much
 * each time while they go on in the same direction.
 */
static void plan_reach(struct stream *stream, mqs_taddr_t address, int length)
{
    mqs_taddr_t step = address - stream->latest;
    int is_backward = step > (mqs_taddr_t)-1 / 2;
    mqs_taddr_t distance = is_backward ? -step : step;
    int is_neighbour = is_backward == stream->is_backward
                       && distance <= NEIGHBOUR * (mqs_taddr_t)length;

    if (stream->reach > 0 && !is_neighbour)
        stream->reach = 0;
    else if (stream->reach == 0 && is_neighbour)
        stream->reach = (int)distance + length;
    stream->is_backward = is_backward;
    stream->latest = address;
}

/* Where a read for the request starts and how long it is: up to REACH bytes in
 * the direction of the requests, without touching a page that the request
 * itself does not, and as far as what was asked for justifies it.
 */
static mqs_taddr_t extend(const struct process *process,
                          const struct stream *stream, mqs_taddr_t address,
                          int *length)
{
    int reach = stream->reach < MPICH_READ_AHEAD ? stream->reach
                                                 : MPICH_READ_AHEAD;
    int room;

    if (reach <= *length
        || process->taken + (uint64_t)reach > READ_LIMIT * process->asked)
        return address;
    if (!stream->is_backward) {
        room = bytes_to_page_end(address + (mqs_taddr_t)*length - 1)
               + *length - 1;
        *length = reach < room ? reach : room;
        return address;
    }
    room = (int)(address % PAGE);
    room = room < reach - *length ? room : reach - *length;
    *length += room;
    return address - (mqs_taddr_t)room;
}

/* LENGTH bytes at ADDRESS, valid until the stream's next request; null if they
 * cannot be read.  A request is at most a page.
 */
static const unsigned char *request(struct process *process,
                                    enum stream_name name,
                                    mqs_taddr_t address, int length)
{
    struct stream *stream = &process->streams[name];
    mqs_taddr_t start;
    int taken = length;

    if (address != stream->latest)
        process->asked += (uint64_t)length;
    plan_reach(stream, address, length);
    if (address >= stream->start && stream->held >= length
        && address - stream->start
           <= (mqs_taddr_t)(stream->held - length))
        return stream->bytes + (address - stream->start);
    start = extend(process, stream, address, &taken);
    stream->held = 0;
    if (!fetch(process, start, taken, stream->bytes)) {
        if (taken == length)
            return NULL;
        stream->reach = -1;
        if (!fetch(process, address, length, stream->bytes))
            return NULL;
        start = address;
        taken = length;
    } else if (stream->reach > 0 && stream->reach < PAGE) {
        stream->reach *= 2;
    }
    process->taken += (uint64_t)taken;
    stream->start = start;
    stream->held = taken;
    return stream->bytes + (address - start);
}

/* Forgets what was read: the process may have run since. */
static void reset_streams(struct process *process)
{
    int i;

    for (i = 0; i < stream_count; i++) {
        struct stream *stream = &process->streams[i];

        stream->held = stream->reach = stream->is_backward = 0;
        stream->latest = 0;
    }
    process->asked = process->taken = 0;
}

/* SIZE bytes, 2, 4 or 8, in the target's order as an unsigned number. */
static uint64_t to_unsigned(struct process *process, const void *bytes,
                            int size)
{
    union {
        uint16_t two;
        uint32_t four;
        uint64_t eight;
    } value = { 0 };

    process->callbacks->mqs_target_to_host_fp(process->process, bytes, &value,
                                              size);
    return size == 2 ? value.two : size == 4 ? value.four : value.eight;
}

static int64_t to_signed(struct process *process, const void *bytes, int size)
{
    uint64_t value = to_unsigned(process, bytes, size);

    return size == 2 ? (int16_t)value
           : size == 4 ? (int32_t)value : (int64_t)value;
}

/* The span of TYPE's members for the object at ADDRESS, or null. */
static const unsigned char *read_object(struct process *process,
                                        enum stream_name name, enum row type,
                                        mqs_taddr_t address)
{
    const struct span *span = &process->spans[type];

    if (address == 0
        || !has_room(process, address, (uint64_t)span->offset + PAGE))
        return NULL;
    return request(process, name, address + (mqs_taddr_t)span->offset,
                   span->length);
}

static const unsigned char *member(const struct process *process,
                                   const unsigned char *object, enum row row)
{
    return object + process->layout.offset[row]
           - process->spans[outermost(row)].offset;
}

static int64_t member_int(struct process *process,
                          const unsigned char *object, enum row row)
{
    return to_signed(process, member(process, object, row),
                     width(process, row));
}

static mqs_taddr_t member_address(struct process *process,
                                  const unsigned char *object, enum row row)
{
    return (mqs_taddr_t)to_unsigned(process, member(process, object, row),
                                    width(process, row));
}

/* Whether the object has a cookie and it is not WANTED. */
static int is_wrong_cookie(struct process *process,
                           const unsigned char *object, enum row row,
                           uint32_t wanted)
{
    return exists(&process->layout, row)
           && (uint32_t)to_unsigned(process, member(process, object, row),
                                    width(process, row)) != wanted;
}

/* One int at ADDRESS. */
static int read_int(struct process *process, mqs_taddr_t address,
                    int64_t *value)
{
    unsigned char bytes[8];

    if (!fetch(process, address, process->sizes.int_size, bytes))
        return 0;
    *value = to_signed(process, bytes, process->sizes.int_size);
    return 1;
}

static int read_pointer(struct process *process, mqs_taddr_t address,
                        mqs_taddr_t *value)
{
    unsigned char bytes[8];

    if (!fetch(process, address, process->sizes.pointer_size, bytes))
        return 0;
    *value = (mqs_taddr_t)to_unsigned(process, bytes,
                                      process->sizes.pointer_size);
    return 1;
}

/* Reads a name, cut at NAME_LIMIT - 1 characters, without touching a page that
 * the name does not reach.  What stops being readable ends there; only a name
 * that is wholly unreadable fails.
 */
static int read_name(struct process *process, mqs_taddr_t address,
                     char name[NAME_LIMIT])
{
    int got = 0, step = NAME_LIMIT - 1;

    while (got < NAME_LIMIT - 1) {
        mqs_taddr_t at = address + (mqs_taddr_t)got;
        int page = bytes_to_page_end(at), left = NAME_LIMIT - 1 - got;
        int length = step < left ? step : left;
        const unsigned char *bytes;

        length = length < page ? length : page;
        bytes = request(process, stream_objects, at, length);
        if (bytes == NULL) {
            if (length == 1)
                break;
            step = length / 2;
            continue;
        }
        memcpy(name + got, bytes, (size_t)length);
        got += length;
        if (memchr(bytes, '\0', (size_t)length) != NULL)
            return 1;
    }
    name[got] = '\0';
    return got > 0;
}

/* Takes from the image and the debugger what reading PROCESS needs: mqs_ok or
 * an error.
 */
static int start_reading(struct process *process, const struct image *image)
{
    int row, status, bits;

    process->layout = image->layout;
    image->callbacks->mqs_get_type_sizes_fp(process->process,
                                            &process->sizes);
    status = check_sizes(&process->sizes);
    if (status != mqs_ok)
        return status;
    bits = 8 * process->sizes.pointer_size;
    process->last = (mqs_taddr_t)(UINT64_MAX >> (64 - bits));
    find_spans(process);
    for (row = 0; row < row_count; row++) {
        mqs_taddr_t address = 0;

        if (rows[row].kind == kind_symbol
            && exists(&process->layout, (enum row)row)
            && image->callbacks->mqs_find_symbol_fp(
                   image->image, (char *)rows[row].name, &address) == mqs_ok)
            process->addresses[row] = address;
    }
    return mqs_ok;
}

/* ==== Error sentences =================================================== */

static const char *const error_sentences[] = {
#define ERROR(name, sentence) sentence,
    MPICH_ERRORS(ERROR)
#undef ERROR
#define TYPE(type, need, place, alias) \
    "The debug information lacks the type " #type,
#define MEMBER(type, name, read, need) \
    "The type " #type " has no member " #name,
#define SYMBOL(name, need) \
    "There is no variable " #name,
#define FUNCTION(name, need) \
    "There is no function " #name,
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, FUNCTION)
#undef TYPE
#undef MEMBER
#undef SYMBOL
#undef FUNCTION
#define TYPE(type, need, place, alias) \
    "An object of type " #type " cannot be read from the process",
#define MEMBER(type, name, read, need) \
    "What " #type "." #name " points to cannot be read from the process",
#define SYMBOL(name, need) \
    #name " cannot be read from the process",
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, SYMBOL)
#undef TYPE
#undef MEMBER
#undef SYMBOL
};

/* The sentence for CODE, which is mqs_first_user_code or more. */
static char *error_sentence(int code)
{
    if (code <= err_before_first || code >= (int)err_count)
        return (char *)"An error that this DLL does not know";
    return (char *)error_sentences[code - mqs_first_user_code];
}

#endif
