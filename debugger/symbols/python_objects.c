/* python_objects.c - layouts of CPython's objects, by version
 *
 * Versions of CPython: a table, and the offsets that it exports since 3.13.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python_objects.h"

#include <string.h>

const char *const mq_python_names[mq_python_symbols] = {
    [mq_python_runtime] = "_PyRuntime",
    [mq_python_code_type] = "PyCode_Type",
    [mq_python_str_type] = "PyUnicode_Type",
    [mq_python_bytes_type] = "PyBytes_Type",
    [mq_python_version] = "Py_Version",                 /* since 3.11 */
    [mq_python_since_38] = "PyCode_NewWithPosOnlyArgs",
    [mq_python_since_39] = "PyFrame_GetCode",
    [mq_python_since_310] = "PyModule_AddObjectRef"
};

/* Of 64-bit builds. */
static const struct mq_python_layout layouts[] = {
    { .version = 0x308, .lines = mq_python_pairs, .interpreters = 32,
      .threads = 8, .next_thread = 8, .interpreter = 16, .thread_id = 176,
      .frame = 24, .back = 24, .code = 32, .instruction = 104,
      .is_offset = true, .unit = 1, .bytes = 48, .first_line = 40,
      .file = 104, .name = 112, .table = 120, .ascii = 48, .compact = 72,
      .lock = 1152, .current = 1368,
      .collecting = 544 },
    { .version = 0x309, .lines = mq_python_pairs, .interpreters = 32,
      .threads = 8, .next_thread = 8, .interpreter = 16, .thread_id = 176,
      .frame = 24, .back = 24, .code = 32, .instruction = 104,
      .is_offset = true, .unit = 1, .bytes = 48, .first_line = 40,
      .file = 104, .name = 112, .table = 120, .ascii = 48, .compact = 72,
      .lock = 352, .current = 568,
      .collecting = 816 },
    { .version = 0x30a, .lines = mq_python_ranges, .interpreters = 32,
      .threads = 8, .next_thread = 8, .interpreter = 16, .thread_id = 176,
      .frame = 24, .back = 24, .code = 32, .instruction = 96,
      .is_offset = true, .unit = 2, .bytes = 48, .first_line = 40,
      .file = 104, .name = 112, .table = 120, .ascii = 48, .compact = 72,
      .lock = 352, .current = 568,
      .collecting = 816 },
    { .version = 0x30b, .lines = mq_python_locations, .interpreters = 40,
      .threads = 16, .next_thread = 8, .interpreter = 16, .thread_id = 152,
      .native_id = 160, .frame = 56, .leads = true, .inner_frame = 8,
      .back = 48, .code = 32, .instruction = 56, .unit = 1, .owner = 69,
      .bytes = 184, .first_line = 72, .file = 112, .name = 128, .table = 136,
      .ascii = 48, .compact = 72,
      .lock = 360, .current = 576,
      .collecting = 848 },
    { .version = 0x30c, .lines = mq_python_locations, .interpreters = 40,
      .threads = 72, .next_thread = 8, .interpreter = 16, .thread_id = 136,
      .native_id = 144, .frame = 56, .leads = true, .inner_frame = 0,
      .back = 8, .code = 0, .instruction = 56, .unit = 1, .owner = 70,
      .bytes = 192, .first_line = 68, .file = 112, .name = 128, .table = 136,
      .ascii = 40, .compact = 56, .lock = 384, .status = 24,
      .collecting = 312 },
    { .version = 0x30d, .lines = mq_python_locations, .unit = 1 },
    { .version = 0x30e, .lines = mq_python_locations, .unit = 1,
      .is_tagged = true }
};

static const struct mq_python_layout *layout_of(unsigned version)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].version == version)
            return &layouts[i];
    return NULL;
}

/* The version: a number since 3.11, and before by what there is. */
static enum mq_result find_version(struct mq_target *target,
                                   const uint64_t *addresses,
                                   struct mq_error *error, unsigned *version)
{
    uint64_t number;

    if (addresses[mq_python_version] != 0) {
        if (mq_target_read_unsigned(target, addresses[mq_python_version], 8,
                                    error, &number) != mq_ok)
            return mq_failed;
        *version = (unsigned)(number >> 16) & 0xffff;
        return (number & 0xf0) == 0xf0 ? mq_ok
               : mq_fail(error, "its Python is a pre-release");
    }
    *version = addresses[mq_python_since_310] != 0 ? 0x30a
               : addresses[mq_python_since_39] != 0 ? 0x309
               : addresses[mq_python_since_38] != 0 ? 0x308 : 0;
    return *version != 0 ? mq_ok
           : mq_fail(error, "its Python is older than 3.8");
}

/* The offsets that are exported at the beginning of _PyRuntime, words of 64
 * bits behind its version, as far as they are used.
 */
enum {
    word_free_threaded, word_interpreters, word_next_interpreter, word_threads,
    word_collector, word_lock, word_own_lock, word_locked, word_holder,
    word_previous, word_next_thread, word_interpreter, word_frame,
    word_thread_id, word_native_id, word_status, word_back, word_code,
    word_instruction, word_owner, word_file, word_name, word_table,
    word_first_line, word_bytes, word_type, word_bytes_size, word_bytes_data,
    word_state, word_length, word_ascii, words,
    word_collecting = words, all_words
};

enum { since_313, since_314, exports };

/* Their numbers there. */
static const unsigned char places[all_words][exports] = {
    [word_free_threaded] = { 0, 0 }, [word_interpreters] = { 3, 3 },
    [word_next_interpreter] = { 6, 6 }, [word_threads] = { 7, 7 },
    [word_collector] = { 8, 9 }, [word_lock] = { 12, 13 },
    [word_own_lock] = { 13, 14 }, [word_locked] = { 15, 16 },
    [word_holder] = { 16, 17 }, [word_previous] = { 18, 21 },
    [word_next_thread] = { 19, 22 }, [word_interpreter] = { 20, 23 },
    [word_frame] = { 21, 24 }, [word_thread_id] = { 22, 25 },
    [word_native_id] = { 23, 26 }, [word_status] = { 25, 28 },
    [word_back] = { 27, 30 }, [word_code] = { 28, 31 },
    [word_instruction] = { 29, 32 }, [word_owner] = { 31, 34 },
    [word_file] = { 33, 38 }, [word_name] = { 35, 40 },
    [word_table] = { 36, 41 }, [word_first_line] = { 37, 42 },
    [word_bytes] = { 41, 46 }, [word_type] = { 43, 49 },
    [word_bytes_size] = { 63, 73 }, [word_bytes_data] = { 64, 74 },
    [word_state] = { 66, 76 }, [word_length] = { 67, 77 },
    [word_ascii] = { 68, 78 }, [word_collecting] = { 70, 80 }
};

enum { cookie = 8, most_words = 79 };

enum { highest = 1 << 20 };  /* an interpreter's struct is large */

static enum mq_result check_words(const uint64_t *word,
                                  struct mq_error *error)
{
    if (word[word_free_threaded] != 0)
        return mq_fail(error, "its Python has no global lock, which is not "
                       "supported");
    for (size_t i = word_interpreters; i < words; i++)
        if (word[i] > highest)
            return mq_fail(error,
                           "implausible struct size in _Py_DebugOffsets");
    if (word[word_previous] != 0 || word[word_type] != 8
        || word[word_bytes_size] != 16 || word[word_bytes_data] != 32
        || word[word_state] != 32 || word[word_length] != 16
        || word[word_holder] != word[word_own_lock] + mq_python_lock_holder
        || word[word_locked] != word[word_own_lock] + mq_python_lock_locked)
        return mq_fail(error, "unknown layout of Python objects");
    return mq_ok;
}

static enum mq_result read_layout(struct mq_target *target, uint64_t runtime,
                                  struct mq_error *error,
                                  struct mq_python_layout *layout)
{
    const int column = layout->version < 0x30e ? since_313 : since_314;
    const size_t size = cookie + 8 + 8 * (places[word_ascii][column] + 1u);
    unsigned char bytes[cookie + 8 + 8 * most_words];
    uint64_t word[words], collecting;

    if (target->ops->read(target, runtime, size, error, bytes) != mq_ok)
        return mq_failed;
    if (memcmp(bytes, "xdebugpy", cookie) != 0)
        return mq_fail(error, "_PyRuntime has no debug offsets");
    for (size_t i = 0; i < words; i++)
        word[i] = mq_decode_unsigned(target->byte_order,
                                     bytes + cookie + 8
                                     + (size_t)8 * places[i][column], 8);
    if (check_words(word, error) != mq_ok)
        return mq_failed;
    layout->interpreters = word[word_interpreters];
    layout->next_interpreter = word[word_next_interpreter];
    layout->threads = word[word_threads];
    layout->next_thread = word[word_next_thread];
    layout->interpreter = word[word_interpreter];
    layout->frame = word[word_frame];
    layout->thread_id = word[word_thread_id];
    layout->native_id = word[word_native_id];
    layout->back = word[word_back];
    layout->code = word[word_code];
    layout->instruction = word[word_instruction];
    layout->owner = word[word_owner];
    layout->file = word[word_file];
    layout->name = word[word_name];
    layout->table = word[word_table];
    layout->first_line = word[word_first_line];
    layout->bytes = word[word_bytes];
    layout->ascii = word[word_ascii];
    layout->compact = layout->ascii + 16;
    layout->lock = word[word_lock];
    layout->status = word[word_status];
    if (mq_target_read_unsigned(target, runtime + cookie + 8
                                + UINT64_C(8) * places[word_collecting][column],
                                8, NULL, &collecting) == mq_ok
        && collecting <= highest)
        layout->collecting = word[word_collector] + collecting;
    return mq_ok;
}

enum mq_result mq_python_layout_find(
    struct mq_target *target, const uint64_t addresses[mq_python_symbols],
    struct mq_error *error, struct mq_python_layout *layout)
{
    const struct mq_python_layout *known;
    unsigned version;

    if (target->sizes.pointer_size != 8)
        return mq_fail(error, "its Python is not 64-bit");
    if (find_version(target, addresses, error, &version) != mq_ok)
        return mq_failed;
    known = layout_of(version);
    if (known == NULL)
        return mq_fail(error, "its Python is of version %u.%u, which is not "
                       "supported", version >> 8, version & 0xff);
    *layout = *known;
    return layout->threads != 0 ? mq_ok
           : read_layout(target, addresses[mq_python_runtime], error, layout);
}
