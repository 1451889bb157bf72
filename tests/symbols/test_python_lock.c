/* test_python_lock.c - owner of Python's global lock */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python.h"
#include "tests/kit/harness.h"

#include <string.h>

/* Memory from BASE on: a runtime, an interpreter and two threads, of which the
 * second holds the lock, as 3.11 and 3.12 have them.
 */
enum {
    base = 0x10000, room = 0x4000, runtime = base, version = base + 0x800,
    interpreter = base + 0x1000, waiter = base + 0x2000, holder = base + 0x2800,
    own_lock = base + 0x3000,
    waiters_number = 71, holders_number = 72
};

struct memory {
    struct mq_target target;
    uint64_t lock;
    unsigned char bytes[room];
};

static enum mq_result read_memory(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    struct memory *self = (struct memory *)target;

    if (address < base || address - base + length > room)
        return mq_fail(error, "there is no memory");
    memcpy(bytes, self->bytes + (address - base), length);
    return mq_ok;
}

static void put(struct memory *memory, uint64_t address, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        memory->bytes[address - base + i] = (unsigned char)(value >> 8 * i);
}

static void make(struct memory *memory, unsigned minor)
{
    static const struct mq_target_ops ops = { .read = read_memory };
    const bool is_new = minor == 12;
    const uint64_t native = is_new ? 144 : 160;

    memset(memory, 0, sizeof *memory);
    memory->target.ops = &ops;
    memory->target.byte_order = mq_little_endian;
    memory->target.sizes = (struct mq_type_sizes){ 2, 4, 8, 8, 8 };
    memory->lock = is_new ? own_lock : runtime + 360;
    put(memory, version, (uint64_t)minor << 16 | 0x030000f0);
    put(memory, runtime + 40, interpreter);
    put(memory, interpreter + (is_new ? 72 : 16), waiter);
    put(memory, waiter + 8, holder);
    put(memory, holder, waiter);
    put(memory, waiter + 16, interpreter);
    put(memory, holder + 16, interpreter);
    put(memory, waiter + native, waiters_number);
    put(memory, holder + native, holders_number);
    if (is_new) {
        put(memory, interpreter + 384, own_lock);
        put(memory, holder + 24, 0x10);
    } else {
        put(memory, runtime + 576, holder);
    }
    put(memory, memory->lock + 8, holder);
    put(memory, memory->lock + 16, 1);
}

static const uint64_t addresses[mq_python_symbols] = {
    [mq_python_runtime] = runtime, [mq_python_code_type] = base,
    [mq_python_str_type] = base, [mq_python_bytes_type] = base,
    [mq_python_version] = version
};

/* The holder for which THREAD waits; -1: it waits for no such lock. */
static int holder_of(struct memory *memory, int thread, uint64_t word)
{
    struct mq_python *python = NULL;
    struct mq_error error = { "" };
    int found = -1;

    if (CHECK_INT(mq_python_create(&memory->target, addresses, &error, &python),
                  mq_ok))
        mq_python_lock_holder_of(python, thread, word, &error, &found);
    mq_python_destroy(python);
    return found;
}

static void test_version(unsigned minor)
{
    static struct memory it;

    test("3.%u: the holder", minor);
    make(&it, minor);
    CHECK_INT(holder_of(&it, waiters_number, it.lock + 40), holders_number);
    CHECK_INT(holder_of(&it, waiters_number, 0), holders_number);
    test("3.%u: another word, another thread", minor);
    CHECK_INT(holder_of(&it, waiters_number, it.lock + 128), -1);
    CHECK_INT(holder_of(&it, 73, it.lock + 40), -1);
    CHECK_INT(holder_of(&it, holders_number, it.lock + 40), 0);
    test("3.%u: it is not locked", minor);
    put(&it, it.lock + 16, 0);
    CHECK_INT(holder_of(&it, waiters_number, 0), 0);
    test("3.%u: the holder does not execute", minor);
    make(&it, minor);
    put(&it, minor == 12 ? holder + 24 : runtime + 576, 0);
    CHECK_INT(holder_of(&it, waiters_number, 0), 0);
    test("3.%u: the holder is on no list", minor);
    make(&it, minor);
    put(&it, waiter + 8, 0);
    CHECK_INT(holder_of(&it, waiters_number, 0), 0);
    test("3.%u: the holder is nowhere", minor);
    make(&it, minor);
    put(&it, it.lock + 8, 0x7f0000000008);
    CHECK_INT(holder_of(&it, waiters_number, 0), -1);
}

/* The collector of garbage, with other threads and without. */
static void test_collector(void)
{
    static struct memory it;
    struct mq_python *python = NULL;
    struct mq_error error = { "" };
    bool collects = true, is_alone = true;

    test("garbage");
    make(&it, 12);
    if (!CHECK_INT(mq_python_create(&it.target, addresses, &error, &python),
                   mq_ok))
        return;
    CHECK_INT(mq_python_collects(python, waiters_number, &error, &collects,
                                 &is_alone), mq_ok);
    CHECK_INT(collects, false);
    CHECK_INT(is_alone, false);
    put(&it, waiter + 8, 0);
    put(&it, interpreter + 312, 1);
    CHECK_INT(mq_python_collects(python, waiters_number, &error, &collects,
                                 &is_alone), mq_ok);
    CHECK_INT(collects, true);
    CHECK_INT(is_alone, true);
    mq_python_destroy(python);
}

int main(void)
{
    test_version(11);
    test_version(12);
    test_collector();
    return tests_end();
}
