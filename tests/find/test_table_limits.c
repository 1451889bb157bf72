/* test_table_limits.c - bounded cost of reading a process table */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "find/mpir_read.h"
#include "tests/kit/block.h"
#include "tests/kit/harness.h"

/* A starter whose memory is computed: its variables, a table of so many entries
 * of two strings and a pid, and the strings, each in a place of its own.
 */
struct starter {
    struct mq_target target;
    int entries;
    int length;                 /* of each string */
    bool is_same;               /* all strings are */
    uint64_t read;              /* bytes, so far */
};

enum {
    table_pointer = 0x1000, table_size = 0x2000, entry_size = 24,
    string_room = 8192
};

#define TABLE UINT64_C(0x100000000)
#define STRINGS UINT64_C(0x200000000000)

/* The eight bytes that begin at ADDRESS, a multiple of eight, of the table. */
static uint64_t word_of_table(uint64_t address)
{
    uint64_t entry = (address - TABLE) / entry_size;
    uint64_t member = (address - TABLE) % entry_size / 8;

    return member == 2 ? 1000 + entry
                       : STRINGS + (2 * entry + member) * string_room;
}

static unsigned char byte_at(const struct starter *it, uint64_t address)
{
    uint64_t number = (address - STRINGS) / string_room;
    uint64_t place = (address - STRINGS) % string_room;
    char digits[32];

    if (address < TABLE) {
        uint64_t value = address < table_size ? TABLE : (uint64_t)it->entries;

        return (unsigned char)(value >> 8 * (address % 8));
    }
    if (address < STRINGS)
        return (unsigned char)(word_of_table(address & ~UINT64_C(7))
                               >> 8 * (address % 8));
    if (place >= (uint64_t)it->length)
        return 0;
    if (place >= 10)
        return 'x';
    snprintf(digits, sizeof digits, "%010" PRIu64,
             it->is_same ? number % 2 : number);
    return (unsigned char)digits[place];
}

static int read_bytes(struct mq_target *target, uint64_t address,
                      size_t length, struct mq_error *error, void *bytes)
{
    struct starter *it = (struct starter *)target;

    (void)error;
    it->read += length;
    memset(bytes, 'x', length);
    for (size_t i = 0; i < length; i++) {
        uint64_t place = (address + i) % string_room;

        if (address < STRINGS || place < 10 || place >= (uint64_t)it->length)
            ((unsigned char *)bytes)[i] = byte_at(it, address + i);
    }
    return mq_ok;
}

static int find_name(struct mq_target *target, const char *name,
                     bool is_function, struct mq_error *error,
                     uint64_t *address)
{
    (void)target;
    (void)is_function;
    (void)error;
    if (strcmp(name, "MPIR_proctable") == 0)
        *address = table_pointer;
    else if (strcmp(name, "MPIR_proctable_size") == 0)
        *address = table_size;
    else
        return mq_absent;
    return mq_ok;
}

static const struct mq_target_ops ops = {
    .read = read_bytes, .find_name = find_name
};

/* The bytes of the heap that are in use; 0 under sanitizers. */
static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* What reading a table has cost. */
struct cost {
    size_t entries, kept;
    uint64_t read;
    const char *last_host;      /* null or not */
};

static struct cost read_table(int entries, int length, bool is_same)
{
    static struct listener heard;
    struct starter it = {
        .target = { .ops = &ops, .name = "starter",
                    .byte_order = mq_little_endian,
                    .sizes = { 2, 4, 8, 8, 8 } },
        .entries = entries, .length = length, .is_same = is_same
    };
    size_t before = in_use();
    struct cost cost = { 0 };
    struct mq_error error;
    struct mq_mpir mpir;

    listener_begin(&heard);
    if (!CHECK_INT(mq_mpir_read(&it.target, &heard.logger, &error, &mpir),
                   mq_ok))
        return cost;
    cost.entries = mpir.table.count;
    cost.kept = in_use() - before;
    cost.read = it.read;
    cost.last_host = mpir.table.entries[mpir.table.count - 1].place.host;
    mq_mpir_deinit(&mpir);
    return cost;
}

int main(void)
{
    enum { million = 1000000, entry_cost = 120 };
    struct cost cost;

    test("50,000 entries that name the same host and program in many places");
    cost = read_table(50000, 200, true);
    CHECK_INT(cost.entries, 50000);
    CHECK_AT_MOST(cost.kept, 50000 * entry_cost);
    CHECK(cost.last_host != NULL);

    test("50,000 entries whose names are long, and no two alike");
    cost = read_table(50000, 1000, false);
    CHECK_INT(cost.entries, 50000);
    CHECK_AT_MOST(cost.kept, 40 * million);
    CHECK_AT_MOST(cost.read, 60 * million);
    CHECK(cost.last_host == NULL);

    test("80,000 entries whose names are long and the same");
    cost = read_table(80000, 1000, true);
    CHECK_INT(cost.entries, 80000);
    CHECK_AT_MOST(cost.kept, 80000 * entry_cost);
    CHECK_AT_MOST(cost.read, 400 * million);
    CHECK(cost.last_host == NULL);
    return tests_end();
}
