/* datatypes.h - descriptions of MPICH 1.x datatypes
 *
 * A part of each DLL, like mpich/lookup.h, after which it is included.
 *
 *     names . one datatype . words
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPICH_DATATYPES_H
#define MPICH_DATATYPES_H

#include "mpich/lookup.h"

enum { DATATYPE_PARTS = 8 };    /* blocks that are listed one by one */

/* ==== Names ============================================================= */

/* The predefined datatypes: DATATYPE(handle, MPI's name, a word for people). */
#define MPICH_DATATYPES(DATATYPE)                               \
    DATATYPE(1, "MPI_CHAR", "char")                             \
    DATATYPE(2, "MPI_UNSIGNED_CHAR", "unsigned char")           \
    DATATYPE(3, "MPI_BYTE", "byte")                             \
    DATATYPE(4, "MPI_SHORT", "short")                           \
    DATATYPE(5, "MPI_UNSIGNED_SHORT", "unsigned short")         \
    DATATYPE(6, "MPI_INT", "int")                               \
    DATATYPE(7, "MPI_UNSIGNED", "unsigned")                     \
    DATATYPE(8, "MPI_LONG", "long")                             \
    DATATYPE(9, "MPI_UNSIGNED_LONG", "unsigned long")           \
    DATATYPE(10, "MPI_FLOAT", "float")                          \
    DATATYPE(11, "MPI_DOUBLE", "double")                        \
    DATATYPE(12, "MPI_LONG_DOUBLE", "long double")              \
    DATATYPE(13, "MPI_LONG_LONG_INT", "long long")              \
    DATATYPE(14, "MPI_PACKED", "packed")                        \
    DATATYPE(15, "MPI_LB", "MPI_LB")                            \
    DATATYPE(16, "MPI_UB", "MPI_UB")                            \
    DATATYPE(17, "MPI_FLOAT_INT", "MPI_FLOAT_INT")              \
    DATATYPE(18, "MPI_DOUBLE_INT", "MPI_DOUBLE_INT")            \
    DATATYPE(19, "MPI_LONG_INT", "MPI_LONG_INT")                \
    DATATYPE(20, "MPI_SHORT_INT", "MPI_SHORT_INT")              \
    DATATYPE(21, "MPI_2INT", "MPI_2INT")                        \
    DATATYPE(22, "MPI_LONG_DOUBLE_INT", "MPI_LONG_DOUBLE_INT")  \
    DATATYPE(23, "MPI_COMPLEX", "complex")                      \
    DATATYPE(24, "MPI_DOUBLE_COMPLEX", "double complex")        \
    DATATYPE(25, "MPI_LOGICAL", "logical")                      \
    DATATYPE(26, "MPI_REAL", "real")                            \
    DATATYPE(27, "MPI_DOUBLE_PRECISION", "double precision")    \
    DATATYPE(28, "MPI_INTEGER", "integer")                      \
    DATATYPE(29, "MPI_2INTEGER", "MPI_2INTEGER")                \
    DATATYPE(30, "MPI_2COMPLEX", "MPI_2COMPLEX")                \
    DATATYPE(31, "MPI_2DOUBLE_COMPLEX", "MPI_2DOUBLE_COMPLEX")  \
    DATATYPE(32, "MPI_2REAL", "MPI_2REAL")                      \
    DATATYPE(33, "MPI_2DOUBLE_PRECISION", "MPI_2DOUBLE_PRECISION")

static const char *const datatype_words[] = {
    NULL,
#define DATATYPE(handle, name, word) word,
    MPICH_DATATYPES(DATATYPE)
#undef DATATYPE
};

enum {
    predefined_datatypes = sizeof datatype_words / sizeof datatype_words[0]
};

/* MPICH's numbers for how a datatype was made, and its words for those that are
 * no combination of others.
 */
enum dte { dte_contiguous = 12, dte_vector, dte_hvector, dte_indexed,
           dte_hindexed, dte_struct, dte_count = 26 };

static const char *const dte_words[dte_count] = {
    "int", "float", "double", "complex", "long", "short", "char", "byte",
    "unsigned char", "unsigned short", "unsigned long", "unsigned", NULL, NULL,
    NULL, NULL, NULL, NULL, "double complex", "packed", "MPI_UB", "MPI_LB",
    "long double", "long long", "logical", "integer"
};

/* ==== One datatype ====================================================== */

struct datatype {
    mqs_taddr_t address;
    const char *word;           /* of one that is no combination, or null */
    int64_t dte, self, count, block_length, stride;
    int64_t size, extent, lb, ub, ref_count;
    int is_committed, is_contiguous;
    mqs_taddr_t block_lengths, displacements, inner, inners;
};

static int64_t optional_int(struct process *process,
                            const unsigned char *object, enum row row)
{
    return exists(&process->layout, row) ? member_int(process, object, row)
                                         : 0;
}

/* What MPICH says of how often something is in it. */
static int is_count(int64_t value)
{
    return value >= 0 && value <= INT32_MAX;
}

static void copy_datatype(struct process *process,
                          const unsigned char *object, struct datatype *it)
{
#define INT(name) member_int(process, object, row_MPIR_DATATYPE_##name)
#define ADDRESS(name) member_address(process, object, row_MPIR_DATATYPE_##name)
    it->dte = INT(dte_type);
    it->self = INT(self);
    it->size = INT(size);
    it->extent = INT(extent);
    it->lb = INT(lb);
    it->ub = INT(ub);
    it->count = INT(count);
    it->block_length = INT(blocklen);
    it->stride = INT(stride);
    it->block_lengths = ADDRESS(blocklens);
    it->displacements = ADDRESS(indices);
    it->inner = ADDRESS(old_type);
    it->inners = ADDRESS(old_types);
#undef INT
#undef ADDRESS
    it->ref_count = optional_int(process, object, row_MPIR_DATATYPE_ref_count);
    it->is_committed = optional_int(process, object,
                                    row_MPIR_DATATYPE_committed) != 0;
    it->is_contiguous = optional_int(process, object,
                                     row_MPIR_DATATYPE_is_contig) != 0;
}

/* Reads the datatype at ADDRESS: mqs_ok or an error. */
static int read_datatype(struct process *process, mqs_taddr_t address,
                         struct datatype *it)
{
    enum row missing = first_missing(&process->layout, need_DATATYPES);
    const unsigned char *object;

    if (missing != row_NOWHERE)
        return (int)err_missing + (int)missing;
    object = read_object(process, stream_objects, row_MPIR_DATATYPE, address);
    if (object == NULL)
        return (int)err_unreadable + row_MPIR_DATATYPE;
    if (is_wrong_cookie(process, object, row_MPIR_DATATYPE_cookie,
                        UINT32_C(0xea31beaf)))
        return err_bad_datatype;
    copy_datatype(process, object, it);
    it->address = address;
    it->word = NULL;
    if (it->dte < 0 || it->dte >= dte_count)
        return err_bad_datatype;
    if (it->self > 0 && it->self < predefined_datatypes)
        it->word = datatype_words[it->self];
    else
        it->word = dte_words[it->dte];
    return it->word != NULL
           || (is_count(it->count) && is_count(it->block_length))
           ? mqs_ok : (int)err_bad_datatype;
}

/* ==== Words ============================================================= */

/* A text that grows up to the end of its room, and ends with "..." there. */
struct words {
    char *text;
    size_t size, used;
    int is_full;
};

static void words_init(struct words *words, char *text, size_t size)
{
    words->text = text;
    words->size = size;
    words->used = 0;
    words->is_full = 0;
    text[0] = '\0';
}

/* What does not fit is left out whole: half a number would be another one. */
static void add_text(struct words *words, const char *text)
{
    size_t length = strlen(text);

    if (words->is_full)
        return;
    if (length > words->size - words->used - sizeof "...") {
        words->is_full = 1;
        text = "...";
        length = strlen(text);
    }
    memcpy(words->text + words->used, text, length + 1);
    words->used += length;
}

static void add_number(struct words *words, int64_t value)
{
    char digits[24], *first = digits + sizeof digits - 1;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

    *first = '\0';
    do
        *--first = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0)
        *--first = '-';
    add_text(words, first);
}

/* "3 blocks" */
static void add_count(struct words *words, int64_t count, const char *noun)
{
    add_number(words, count);
    add_text(words, " ");
    add_text(words, noun);
    if (count != 1)
        add_text(words, "s");
}

/* Types are made of types.  Each takes some of the room that there is for
 * words, which bounds how deep this goes.
 */
/* NOLINTBEGIN(misc-no-recursion) */

static int add_datatype(struct process *process, mqs_taddr_t address,
                        struct words *words);

/* An inner type, in parentheses if it is a combination. */
static int add_inner(struct process *process, mqs_taddr_t address,
                     struct words *words)
{
    struct datatype it = { 0 };
    int status;

    if (words->is_full)
        return mqs_ok;
    status = read_datatype(process, address, &it);
    if (status != mqs_ok)
        return status;
    if (it.word != NULL) {
        add_text(words, it.word);
        return mqs_ok;
    }
    add_text(words, "(");
    status = add_datatype(process, address, words);
    if (status == mqs_ok)
        add_text(words, ")");
    return status;
}

/* One element of a list: its number in *VALUE. */
static int list_entry(struct process *process, mqs_taddr_t list, int64_t index,
                      enum row row, int size, int64_t *value)
{
    const unsigned char *bytes = NULL;

    if (has_room(process, list, (uint64_t)index * (uint64_t)size + 1))
        bytes = request(process, stream_tables,
                        list + (mqs_taddr_t)index * (mqs_taddr_t)size, size);
    if (bytes == NULL)
        return (int)err_unreadable + (int)row;
    *value = to_signed(process, bytes, size);
    return mqs_ok;
}

/* "2 double at 16", or "2 at 16" where all blocks have the same type. */
static int add_block(struct process *process, const struct datatype *it,
                     int64_t index, struct words *words)
{
    const mqs_target_type_sizes *sizes = &process->sizes;
    int64_t length = 0, displacement = 0, inner = 0;
    int status = list_entry(process, it->block_lengths, index,
                            row_MPIR_DATATYPE_blocklens, sizes->int_size,
                            &length);

    if (status == mqs_ok)
        status = list_entry(process, it->displacements, index,
                            row_MPIR_DATATYPE_indices, sizes->long_size,
                            &displacement);
    if (status == mqs_ok && it->dte == dte_struct)
        status = list_entry(process, it->inners, index,
                            row_MPIR_DATATYPE_old_types, sizes->pointer_size,
                            &inner);
    if (status != mqs_ok)
        return status;
    add_number(words, length);
    if (it->dte == dte_struct) {
        add_text(words, " ");
        status = add_inner(process, (mqs_taddr_t)inner & process->last, words);
    }
    if (status != mqs_ok)
        return status;
    add_text(words, index == 0 ? " at byte " : " at ");
    add_number(words, displacement);
    return mqs_ok;
}

static int add_blocks(struct process *process, const struct datatype *it,
                      struct words *words)
{
    int64_t i, shown = it->count < DATATYPE_PARTS ? it->count : DATATYPE_PARTS;
    int status = mqs_ok;

    for (i = 0; i < shown && status == mqs_ok && !words->is_full; i++) {
        add_text(words, i == 0 ? ": " : ", ");
        status = add_block(process, it, i, words);
    }
    if (status == mqs_ok && it->count > shown) {
        add_text(words, ", and ");
        add_number(words, it->count - shown);
        add_text(words, " more");
    }
    return status;
}

static int add_vector(struct process *process, const struct datatype *it,
                      struct words *words)
{
    int status;

    add_text(words, "vector of ");
    add_count(words, it->count, "block");
    add_text(words, " of ");
    add_number(words, it->block_length);
    add_text(words, " ");
    status = add_inner(process, it->inner, words);
    if (status != mqs_ok)
        return status;
    add_text(words, ", stride ");
    add_count(words, it->stride, "byte");
    return mqs_ok;
}

/* Adds the words for the datatype at ADDRESS, and what they could not say is an
 * error.  How much is read follows from the room that there is for words.
 */
static int add_datatype(struct process *process, mqs_taddr_t address,
                        struct words *words)
{
    struct datatype it = { 0 };
    int status = read_datatype(process, address, &it);

    if (status != mqs_ok)
        return status;
    if (it.word != NULL) {
        add_text(words, it.word);
        return mqs_ok;
    }
    switch (it.dte) {
    case dte_contiguous:
        add_text(words, "contiguous, ");
        add_number(words, it.count);
        add_text(words, " ");
        return add_inner(process, it.inner, words);
    case dte_vector:
    case dte_hvector:
        return add_vector(process, &it, words);
    case dte_struct:
        add_text(words, "struct of ");
        add_count(words, it.count, "block");
        return add_blocks(process, &it, words);
    default:
        add_text(words, "indexed, ");
        add_count(words, it.count, "block");
        add_text(words, " of ");
        status = add_inner(process, it.inner, words);
        return status == mqs_ok ? add_blocks(process, &it, words)
                                : status;
    }
}

/* NOLINTEND(misc-no-recursion) */

#endif
