/* exercise_memory.c - a process with damaged memory
 *
 * It is done with any process; only what the DLL reads of it is known.  A word
 * that leads to memory that is read, too, is a link: one after the other is led
 * to itself, to what it is in, into nowhere, to where another one leads, and
 * into a list that has no end.  Other words are made as large as they can be.
 * What is shown then is of no group that was there; but it ends, and all is
 * shown again when the damage is undone.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqcheck/exercises/exercise.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/array.h"
#include "mqcheck/host/budget.h"
#include "mqcheck/host/damaged_memory.h"
#include "mqcheck/host/entry_call.h"

enum {
    MOST_READS = 4096,          /* of a tour, the first ones */
    LARGEST = 1 << 16,          /* bytes of a read that is looked at */
    OF_A_READ = 64,             /* words of each read that may be damaged */
    MOST_WORDS = 20,            /* of both kinds that are damaged */
    MOST_COPIES = 1 << 14,      /* read of lists without an end, before another
                                   one is made */
    KINDS = 5,                  /* of damage to a word */
    FRONT = 64, ELEMENT = 512   /* bytes of what a link may lead to, in front
                                   of there and behind */
};

/* What a tour reads. */
struct reads {
    size_t count;
    struct place {
        uint64_t address;
        size_t length;
    } places[MOST_READS];
};

/* Words that may be damaged. */
struct words {
    size_t count;
    struct word {
        uint64_t at, value;
    } list[MOST_READS * OF_A_READ];
};

static void note_read(void *context, uint64_t address, size_t length)
{
    struct reads *reads = context;

    if (reads->count < MOST_READS && length <= LARGEST)
        reads->places[reads->count++] = (struct place){ address, length };
}

/* ---- Words --------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;

    return left->address < right->address ? -1 : left->address > right->address;
}

/* Whether some read begins in front of ADDRESS and reaches over it. */
static int is_read(const struct reads *reads, uint64_t address)
{
    size_t count = mq_array_upto(reads->places, reads->count,
                                 sizeof reads->places[0],
                                 offsetof(struct place, address), address);

    return count > 0 && address - reads->places[count - 1].address
                        < reads->places[count - 1].length;
}

/* Adds some of the words of one place, as far apart as they can be. */
static void add_words(struct words *words, const struct word *list,
                      size_t count)
{
    size_t i, step = count / OF_A_READ + 1;

    for (i = step / 2; i < count; i += step)
        words->list[words->count++] = list[i];
}

/* Finds links and other words in one of READS, which are in order. */
static void look_for_words(struct mq_target *target, const struct reads *reads,
                           const struct place *place, struct words *links,
                           struct words *others)
{
    static unsigned char bytes[LARGEST];
    static struct word found[2][LARGEST / 4];
    size_t size = (size_t)target->sizes.pointer_size;
    size_t i, counts[2] = { 0, 0 };

    if (target->ops->read(target, place->address, place->length, NULL, bytes)
        != mq_ok)
        return;
    for (i = 0; i + size <= place->length; i += size) {
        uint64_t value = mq_decode_unsigned(target->byte_order, bytes + i,
                                            (int)size);
        int is_link = value != 0 && is_read(reads, value);

        if (value != 0)
            found[is_link][counts[is_link]++] =
                (struct word){ place->address + i, value };
    }
    add_words(links, found[1], counts[1]);
    add_words(others, found[0], counts[0]);
}

static void find_words(struct mq_target *target, struct reads *reads,
                       struct words *links, struct words *others)
{
    links->count = others->count = 0;
    qsort(reads->places, reads->count, sizeof reads->places[0],
          compare_places);
    for (size_t i = 0; i < reads->count; i++)
        if (i == 0 || reads->places[i].address != reads->places[i - 1].address)
            look_for_words(target, reads, &reads->places[i], links, others);
}

/* ---- Damage -------------------------------------------------------------- */

static void walk(struct subject *subject, int garbage)
{
    struct tour tour;

    tour_begin(&tour, subject, garbage);
    tour.is_of_damage = 1;
    while (tour_step(&tour))
        ;
    tour_end(&tour);
}

/* What a debugger sees that comes to the damaged process, and what one does
 * that saw it before.  Then the DLL sees the whole process again: where damage
 * follows damage it might take for whole what only looks like that, and no
 * sequence number of the process would show when it changes.
 */
static void show(struct stage *stage, const struct memory_damage *damage)
{
    struct subject newcomer;

    if (budget_is_spent())
        return;
    memory_set_damage(damage);
    walk(&stage->subject, GARBAGE);
    if (subject_open_process(&newcomer, &stage->subject, stage->target))
        walk(&newcomer, OTHER_GARBAGE);
    subject_close(&newcomer);
    memory_set_damage(NULL);
    subject_refresh(&stage->subject);
}

static void show_value(struct stage *stage, uint64_t at, uint64_t value)
{
    struct memory_damage damage = { at, value, 0, 0 };

    show(stage, &damage);
}

/* The first link at ADDRESS or behind it; they are in order. */
static size_t first_from(const struct words *links, uint64_t address)
{
    size_t i = 0;

    while (i < links->count && links->list[i].at < address)
        i++;
    return i;
}

/* Leads the link to a list of copies without an end: what it leads to has a
 * link, by which each copy leads to the next.
 */
static void show_endless(struct stage *stage, const struct words *links,
                         const struct word *link)
{
    size_t i = first_from(links, link->value - FRONT);

    if (stage->target->sizes.pointer_size != 8
        || link->value >= MEMORY_BEYOND - ELEMENT)
        return;
    for (; i < links->count && links->list[i].at < link->value + ELEMENT;
         i++) {
        struct memory_damage damage = {
            link->at, memory_copy(link->value, 0), link->value,
            (int64_t)(links->list[i].at - link->value)
        };

        if (damage.link != 0 && memory_copies_read() < MOST_COPIES)
            show(stage, &damage);
    }
}

/* Where the struct that LINK is in begins, by what leads there, or 0. */
static uint64_t begin_of(const struct words *links, const struct word *link)
{
    uint64_t begin = 0;

    for (size_t i = 0; i < links->count; i++)
        if (links->list[i].value <= link->at && links->list[i].value > begin
            && link->at - links->list[i].value < ELEMENT)
            begin = links->list[i].value;
    return begin;
}

/* How far apart the words of a kind are that are damaged at most. */
static size_t step_of(const struct words *words)
{
    return words->count / MOST_WORDS + 1;
}

/* Damages one of SHARE of the links that there is time for otherwise. */
static void damage_links(struct stage *stage, const struct words *links,
                         size_t share)
{
    static const uint64_t nowhere = 0x10;
    size_t i, step = step_of(links);

    for (i = step / 2; i < links->count; i += step * share) {
        const struct word *link = &links->list[i];
        const struct word *other = &links->list[(i + step) % links->count];

        show_value(stage, link->at, link->at);
        show_value(stage, link->at, begin_of(links, link));
        show_value(stage, link->at, nowhere);
        show_value(stage, link->at, other->value);
        show_endless(stage, links, link);
    }
}

static void damage_others(struct stage *stage, const struct words *others,
                          size_t share)
{
    size_t i, step = step_of(others);

    for (i = step / 2; i < others->count; i += step * share) {
        show_value(stage, others->list[i].at, UINT64_MAX);
        show_value(stage, others->list[i].at, UINT64_MAX / 2);
        show_value(stage, others->list[i].at, 0x7fffffff);
    }
}

static void damage_words(struct stage *stage, const struct words *links,
                         const struct words *others)
{
    size_t count = links->count / step_of(links)
                   + others->count / step_of(others);
    size_t share = budget_step(count, KINDS, 3 * KINDS);

    damage_links(stage, links, share);
    damage_others(stage, others, share);
}

void exercise_memory(const struct mq_dll_entries *entries,
                     const struct exhibit *exhibit)
{
    static struct reads reads;
    static struct words links, others;
    struct stage stage;
    struct tour before, after;

    reads.count = 0;
    memory_set_note(note_read, &reads);
    if (stage_open(&stage, entries, exhibit)) {
        tour_take(&before, &stage.subject, GARBAGE);
        memory_set_note(NULL, NULL);
        find_words(stage.target, &reads, &links, &others);
        damage_words(&stage, &links, &others);
        tour_take(&after, &stage.subject, GARBAGE);
        same(rule_recovery, "after its memory was damaged and mended",
             &before, &after, 0);
        tour_end(&before);
        tour_end(&after);
    }
    memory_set_note(NULL, NULL);
    stage_close(&stage);
}
