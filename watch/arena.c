/* arena.c - allocation of the memory that debuggers read
 *
 * With MQWATCH_RECORD set it is one range of memory that begins with the head
 * of a record, so that record.c can put a file in its place; else it is the C
 * library's.  In the range blocks are powers of two, taken from its end or from
 * those that were given back.  What does not fit is the C library's, too: the
 * record lacks it, and says so.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { smallest = 6, largest = 40,  /* a block's size, as a power of two */
       usual_size = 16, most_size = 1 << 10 };      /* of a record, in MiB */

/* In front of each block. */
struct block {
    struct block *next;         /* of those that are free */
    uint64_t power;
};

static struct {
    pthread_mutex_t mutex;
    pthread_once_t once;
    struct block *free[largest + 1];
} arena = { .mutex = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

struct mqwatch_record *mqw_record;

static void reserve(void)
{
    const char *wish = secure_getenv("MQWATCH_RECORD_SIZE");
    unsigned long wished = wish != NULL ? strtoul(wish, NULL, 10) : 0;
    size_t size = (size_t)(wished > 0 && wished <= most_size ? wished
                                                             : usual_size)
                  << 20;
    struct mqwatch_record *head;

    if (mqw_record_folder() == NULL)
        return;
    head = mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (head == MAP_FAILED)
        return;
    head->file_size = size;
    head->used = (sizeof *head + 15) / 16 * 16;
    mqw_record = head;
}

void mqw_arena_lock(void)
{
    pthread_once(&arena.once, reserve);
    pthread_mutex_lock(&arena.mutex);
}

void mqw_arena_unlock(void)
{
    pthread_mutex_unlock(&arena.mutex);
}

static unsigned power_of(size_t size)
{
    unsigned power = smallest;

    while (power <= largest && ((size_t)1 << power) < size)
        power++;
    return power;
}

/* SIZE zeros at the end of what is used, a multiple of ALIGNMENT from the
 * record's begin; null if it has no room.
 */
static void *take_end(size_t size, size_t alignment)
{
    uint64_t begin = (mqw_record->used + alignment - 1) / alignment * alignment;

    if (begin > mqw_record->file_size || size > mqw_record->file_size - begin)
        return NULL;
    PUBLISH(mqw_record->used, begin + size);
    return (unsigned char *)mqw_record + begin;
}

static void *take(size_t size)
{
    unsigned power = power_of(size + sizeof(struct block));
    struct block *block;

    if (power > largest)
        return NULL;
    block = arena.free[power];
    if (block != NULL)
        arena.free[power] = block->next;
    else
        block = take_end((size_t)1 << power, sizeof *block);
    if (block == NULL) {
        mqw_record->outside += size;
        return NULL;
    }
    block->power = power;
    return memset(block + 1, 0, size);
}

void *mqw_alloc(size_t size)
{
    void *taken;

    mqw_arena_lock();
    taken = mqw_record != NULL ? take(size) : NULL;
    mqw_arena_unlock();
    return taken != NULL ? taken : calloc(1, size);
}

void *mqw_alloc_pages(size_t size)
{
    void *taken;

    mqw_arena_lock();
    taken = mqw_record != NULL ? take_end(size, MQW_PAGE) : NULL;
    mqw_arena_unlock();
    return taken;
}

char *mqw_alloc_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mqw_alloc(size);

    return copy == NULL ? NULL : memcpy(copy, text, size);
}

void mqw_free(void *memory)
{
    struct block *block;

    if (mqw_record == NULL || (uintptr_t)memory - (uintptr_t)mqw_record
                              >= mqw_record->file_size) {
        free(memory);
        return;
    }
    block = (struct block *)memory - 1;
    mqw_arena_lock();
    block->next = arena.free[block->power];
    arena.free[block->power] = block;
    mqw_arena_unlock();
}
