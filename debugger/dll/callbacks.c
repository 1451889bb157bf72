/* callbacks.c - the debugger's three callback tables, over targets */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/callbacks.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== The heap ========================================================== */

/* Before each block, as long as malloc aligns; the mark again behind it. */
struct guard {
    uint64_t size;
    uint64_t mark;
};

static const uint64_t live = UINT64_C(0x6d71735f6c697665);
static const uint64_t dead = UINT64_C(0x6d71735f64656164);

struct mq_store mq_store;

static void *store_allocate(size_t size)
{
    struct guard *front;

    mq_store.allocations++;
    if (mq_store.allocations == mq_store.fail_at
        || size > (size_t)PTRDIFF_MAX - 2 * sizeof *front)
        return NULL;
    front = malloc(sizeof *front + size + sizeof front->mark);
    if (front == NULL)
        return NULL;
    front->size = size;
    front->mark = live ^ size;
    memcpy((char *)(front + 1) + size, &front->mark, sizeof front->mark);
    mq_store.blocks++;
    mq_store.bytes += size;
    if (mq_store.bytes > mq_store.peak)
        mq_store.peak = mq_store.bytes;
    return front + 1;
}

/* A block that is not ours, or was damaged, is left alone: to free it would
 * bring the debugger down.
 */
static void store_free(void *block)
{
    struct guard *front = block;

    if (block == NULL)
        return;
    front--;
    if (front->mark != (live ^ front->size)) {
        mq_store.overruns++;
        return;
    }
    if (memcmp((char *)block + front->size, &front->mark, sizeof front->mark)
        != 0)
        mq_store.overruns++;
    mq_store.blocks--;
    mq_store.bytes -= (size_t)front->size;
    front->mark = dead;
    free(front);
}

/* ==== Basic ============================================================= */

static void say_nothing(const char *text)
{
    (void)text;
}

/* No callback answers an error but mqs_no_information. */
static char *error_string(int code)
{
    return (char *)(code == mqs_no_information
                    ? "The debugger cannot answer that"
                    : "An error that this debugger does not know");
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

const mqs_basic_callbacks mq_basic_callbacks = {
    store_allocate, store_free, say_nothing, error_string, put_image_info,
    get_image_info, put_process_info, get_process_info
};

/* ==== Images ============================================================ */

static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *sizes)
{
    const struct mq_type_sizes *known = &process->target->sizes;

    sizes->short_size = known->short_size;
    sizes->int_size = known->int_size;
    sizes->long_size = known->long_size;
    sizes->long_long_size = known->long_long_size;
    sizes->pointer_size = known->pointer_size;
}

/* Whether the look-up of NAME, of KIND and TYPE, that ended with RESULT found
 * something, which is noted.  Keeps ERROR if it has no answer: the interface
 * has no way to report that to the DLL.
 */
static bool is_found(mqs_image *image, enum mq_lookup_kind kind,
                     mqs_type *type, const char *name, uint64_t value,
                     enum mq_result result, const struct mq_error *error)
{
    const struct mq_lookup lookup = {
        .kind = kind, .type = type, .is_found = result == mq_ok, .value = value
    };

    image->statistics.lookups++;
    if (result == mq_failed) {
        image->lookups.is_incomplete = true;
        if (image->trouble.text[0] == '\0')
            image->trouble = *error;
        return false;
    }
    mq_lookup_cache_note(&image->lookups, &lookup, name);
    return result == mq_ok;
}

static int give_address(uint64_t found, mqs_taddr_t *address)
{
    if (found > (mqs_taddr_t)-1)
        return mqs_no_information;
    if (address != NULL)
        *address = (mqs_taddr_t)found;
    return mqs_ok;
}

/* The spellings that a NAME of a program's text may have in a symbol table, by
 * the language that the text is in, in the order in which they are tried.
 * Compilers of Fortran, which knows no case, append underscores to lower case
 * letters or leave capitals as they are; the names of C++ are left to the
 * target.
 */
enum { most_spellings = 5, longest_spelling = 256 };

struct spellings {
    size_t count;
    const char *names[most_spellings];
    char text[most_spellings][longest_spelling];
};

/* Adds NAME with each letter as LETTER has it, and END. */
static void add_spelling(struct spellings *it, const char *name,
                         int (*letter)(int), const char *end)
{
    char *text = it->text[it->count];
    size_t length = strlen(name), i;

    if (length + strlen(end) >= longest_spelling)
        return;
    for (i = 0; i < length; i++)
        text[i] = (char)letter((unsigned char)name[i]);
    snprintf(text + length, longest_spelling - length, "%s", end);
    it->names[it->count++] = text;
}

static void spell(const char *name, mqs_lang_code language,
                  struct spellings *it)
{
    it->names[0] = name;
    it->count = 1;
    if (language != mqs_lang_f77 && language != mqs_lang_f90)
        return;
    add_spelling(it, name, tolower, "_");
    add_spelling(it, name, tolower, "__");
    add_spelling(it, name, tolower, "");
    add_spelling(it, name, toupper, "");
}

static int find_name(mqs_image *image, enum mq_lookup_kind kind, char *name,
                     mqs_lang_code language, mqs_taddr_t *address)
{
    struct mq_error error;
    struct spellings spellings;
    uint64_t found = 0;

    if (name == NULL)
        return mqs_no_information;
    spell(name, language, &spellings);
    for (size_t i = 0; i < spellings.count; i++) {
        const char *as = spellings.names[i];
        enum mq_result result = kind == mq_lookup_function
            ? mq_target_find_function(image->target, as, &error, &found)
            : mq_target_find_symbol(image->target, as, &error, &found);

        if (is_found(image, kind, NULL, as, found, result, &error))
            return give_address(found, address);
    }
    return mqs_no_information;
}

static int find_function(mqs_image *image, char *name, mqs_lang_code language,
                         mqs_taddr_t *address)
{
    return find_name(image, mq_lookup_function, name, language, address);
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *address)
{
    return find_name(image, mq_lookup_symbol, name, mqs_lang_c, address);
}

/* Each type of the target has one mqs_type, however often it is asked for. */
static enum mq_result type_for(mqs_image *image,
                               const struct mq_target_type *found,
                               struct mq_error *error, mqs_type **result)
{
    mqs_type *type;

    for (type = image->types; type != NULL; type = type->next)
        if (type->type == found)
            break;
    if (type == NULL) {
        type = malloc(sizeof *type);
        if (type == NULL)
            return mq_fail_memory(error, "for a type");
        type->next = image->types;
        type->image = image;
        type->type = found;
        image->types = type;
    }
    *result = type;
    return mq_ok;
}

void mq_image_forget(mqs_image *image)
{
    while (image->types != NULL) {
        mqs_type *next = image->types->next;

        free(image->types);
        image->types = next;
    }
    mq_lookup_cache_deinit(&image->lookups);
}

static mqs_type *find_type(mqs_image *image, char *name,
                           mqs_lang_code language)
{
    struct mq_target *target = image->target;
    const struct mq_target_type *found = NULL;
    struct mq_error error;
    struct spellings spellings;
    mqs_type *type = NULL;
    enum mq_result result;

    if (name == NULL)
        return NULL;
    spell(name, language, &spellings);
    for (size_t i = 0; i < spellings.count; i++) {
        result = mq_target_find_type(target, spellings.names[i], &error,
                                     &found);
        if (result == mq_ok)
            result = type_for(image, found, &error, &type);
        if (is_found(image, mq_lookup_type, type, spellings.names[i], 0,
                     result, &error))
            return type;
    }
    return NULL;
}

/* The size of a type, or the offset of its member NAME; -1: none. */
static int number_of(mqs_type *type, enum mq_lookup_kind kind, const char *name)
{
    struct mq_target *target = type->image->target;
    struct mq_error error;
    uint64_t value = 0;
    enum mq_result result = kind == mq_lookup_size
        ? mq_target_type_size(target, type->type, &error, &value)
        : mq_target_find_member(target, type->type, name, &error, &value);

    return is_found(type->image, kind, type, name, value, result, &error)
           && value <= INT_MAX ? (int)value : -1;
}

static int field_offset(mqs_type *type, char *name)
{
    return type == NULL || name == NULL
           ? -1 : number_of(type, mq_lookup_member, name);
}

static int size_of(mqs_type *type)
{
    return type == NULL ? -1 : number_of(type, mq_lookup_size, NULL);
}

const mqs_image_callbacks mq_image_callbacks = {
    get_type_sizes, find_function, find_symbol, find_type, field_offset,
    size_of
};

/* ==== Processes ========================================================= */

static int get_global_rank(mqs_process *process)
{
    return process->target->rank;
}

static mqs_image *get_image(mqs_process *process)
{
    return process->image;
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int length,
                      void *data)
{
    struct mq_dll_statistics *statistics = &process->statistics;

    statistics->fetches++;
    if (length <= 0 || data == NULL
        || process->target->ops->read(process->target, address, (size_t)length,
                                      NULL, data) != mq_ok) {
        statistics->failed_fetches++;
        return mqs_no_information;
    }
    statistics->bytes += (uint64_t)length;
    return mqs_ok;
}

static void target_to_host(mqs_process *process, const void *in, void *out,
                           int length)
{
    const uint16_t one = 1;
    const bool is_little = *(const unsigned char *)&one == 1;
    const unsigned char *from = in;
    unsigned char *to = out;

    if (is_little == (process->target->byte_order == mq_little_endian)) {
        memcpy(to, from, length > 0 ? (size_t)length : 0);
        return;
    }
    for (int i = 0; i < length; i++)
        to[i] = from[length - 1 - i];
}

const mqs_process_callbacks mq_process_callbacks = {
    get_global_rank, get_image, fetch_data, target_to_host
};
