/* python_objects.c - layouts of CPython's objects, by version
 *
 * Versions of CPython: a table, and the offsets that it exports since 3.13.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python_objects.h"

#include <stddef.h>
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

/* Of 64-bit builds; the first is common to all up to 3.10. */
#define UP_TO_310 \
    .interpreters = 32, .threads = 8, .next_thread = 8, .interpreter = 16, \
    .thread_id = 176, .frame = 24, .back = 24, .code = 32, .is_offset = true, \
    .bytes = 48, .first_line = 40, .file = 104, .name = 112, .table = 120, \
    .ascii = 48, .compact = 72

static const struct mq_python_layout layouts[] = {
    { UP_TO_310, .version = 0x308, .lines = mq_python_pairs, .unit = 1,
      .instruction = 104, .lock = 1152, .current = 1368, .collecting = 544 },
    { UP_TO_310, .version = 0x309, .lines = mq_python_pairs, .unit = 1,
      .instruction = 104, .lock = 352, .current = 568, .collecting = 816 },
    { UP_TO_310, .version = 0x30a, .lines = mq_python_ranges, .unit = 2,
      .instruction = 96, .lock = 352, .current = 568, .collecting = 816 },
    { .version = 0x30b, .lines = mq_python_locations, .interpreters = 40,
      .threads = 16, .next_thread = 8, .interpreter = 16, .thread_id = 152,
      .native_id = 160, .frame = 56, .leads = true, .inner_frame = 8,
      .back = 48, .code = 32, .instruction = 56, .unit = 1, .owner = 69,
      .bytes = 184, .first_line = 72, .file = 112, .name = 128, .table = 136,
      .ascii = 48, .compact = 72, .lock = 360, .current = 576,
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
 * bits behind its version, as far as they are used: their numbers since 3.13
 * and since 3.14, and the member that each is or the only value that is known.
 */
#define MEMBER(name) true, offsetof(struct mq_python_layout, name)
#define ALWAYS(number) false, number

static const struct {
    unsigned char places[2];
    bool is_member;
    size_t value;
} exported[] = {
    { { 3, 3 }, MEMBER(interpreters) }, { { 6, 6 }, MEMBER(next_interpreter) },
    { { 7, 7 }, MEMBER(threads) }, { { 12, 13 }, MEMBER(lock) },
    { { 18, 21 }, ALWAYS(0) },          /* of a thread: the one before */
    { { 19, 22 }, MEMBER(next_thread) }, { { 20, 23 }, MEMBER(interpreter) },
    { { 21, 24 }, MEMBER(frame) }, { { 22, 25 }, MEMBER(thread_id) },
    { { 23, 26 }, MEMBER(native_id) }, { { 25, 28 }, MEMBER(status) },
    { { 27, 30 }, MEMBER(back) }, { { 28, 31 }, MEMBER(code) },
    { { 29, 32 }, MEMBER(instruction) }, { { 31, 34 }, MEMBER(owner) },
    { { 33, 38 }, MEMBER(file) }, { { 35, 40 }, MEMBER(name) },
    { { 36, 41 }, MEMBER(table) }, { { 37, 42 }, MEMBER(first_line) },
    { { 41, 46 }, MEMBER(bytes) }, { { 43, 49 }, ALWAYS(8) },       /* type */
    { { 63, 73 }, ALWAYS(16) }, { { 64, 74 }, ALWAYS(32) },         /* bytes */
    { { 66, 76 }, ALWAYS(32) }, { { 67, 77 }, ALWAYS(16) },         /* str */
    { { 68, 78 }, MEMBER(ascii) }
};

enum {
    cookie = 8, most_words = 79,
    highest = 1 << 20           /* an interpreter's struct is large */
};

static enum mq_result read_layout(struct mq_target *target, uint64_t runtime,
                                  struct mq_error *error,
                                  struct mq_python_layout *layout)
{
    const size_t later = layout->version >= 0x30e;
    const size_t count = later ? most_words : 69;
    const size_t collector = 8 + later, own_lock = 13 + later;
    unsigned char bytes[cookie + 8 + 8 * most_words];
    uint64_t word[most_words], collecting;
    bool is_known;

    if (target->ops->read(target, runtime, cookie + 8 + 8 * count, error,
                          bytes) != mq_ok)
        return mq_failed;
    if (memcmp(bytes, "xdebugpy", cookie) != 0)
        return mq_fail(error, "_PyRuntime has no debug offsets");
    for (size_t i = 0; i < count; i++)
        word[i] = mq_decode_unsigned(target->byte_order,
                                     bytes + cookie + 8 + 8 * i, 8);
    if (word[0] != 0)
        return mq_fail(error, "its Python has no global lock, which is not "
                       "supported");
    is_known = word[collector] <= highest && word[own_lock] <= highest
        && word[own_lock + 2] == word[own_lock] + mq_python_lock_locked
        && word[own_lock + 3] == word[own_lock] + mq_python_lock_holder;
    for (size_t i = 0; i < sizeof exported / sizeof exported[0]; i++) {
        uint64_t value = word[exported[i].places[later]];

        if (value > highest)
            return mq_fail(error,
                           "implausible struct size in _Py_DebugOffsets");
        if (exported[i].is_member)
            memcpy((char *)layout + exported[i].value, &value, sizeof value);
        else
            is_known &= value == exported[i].value;
    }
    if (!is_known)
        return mq_fail(error, "unknown layout of Python objects");
    layout->compact = layout->ascii + 16;
    if (mq_target_read_unsigned(target, runtime + cookie + 8
                                + UINT64_C(8) * (later ? 80 : 70), 8, NULL,
                                &collecting) == mq_ok
        && collecting <= highest)
        layout->collecting = word[collector] + collecting;
    return mq_ok;
}

enum mq_result mq_python_layout_find(
    struct mq_target *target, const uint64_t addresses[mq_python_symbols],
    struct mq_error *error, struct mq_python_layout *layout)
{
    const size_t known = sizeof layouts / sizeof layouts[0];
    unsigned version;
    size_t i = 0;

    if (target->sizes.pointer_size != 8)
        return mq_fail(error, "its Python is not 64-bit");
    if (find_version(target, addresses, error, &version) != mq_ok)
        return mq_failed;
    while (i < known && layouts[i].version != version)
        i++;
    if (i == known)
        return mq_fail(error, "its Python is of version %u.%u, which is not "
                       "supported", version >> 8, version & 0xff);
    *layout = layouts[i];
    return layout->threads != 0 ? mq_ok
           : read_layout(target, addresses[mq_python_runtime], error, layout);
}
