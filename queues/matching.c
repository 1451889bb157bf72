/* matching.c - tag matching of a UCX worker
 *
 * What is believed was checked from two sides: each of the 2,048 entries of the
 * tables is empty in the one way there is, or leads to a list; the bucket of a
 * message follows from its tag; lists lead back; and their lengths are what the
 * worker counted.  Where in a receive its tag is differs from version to
 * version.  It is at the one place where all receives of the process have a
 * tag that their mask allows and their bucket follows from, a mask that this
 * MPI uses, and a number that rises along each queue.  Requests are used again,
 * and what they held before may look the same: of several places the one counts
 * that a version is known to have.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/matching.h"

#include <string.h>

#include "queues/errors.h"

enum {
    LIST = 8 * word_previous,   /* where the list of arrived messages begins */
    WORKER = 0x600,             /* bytes of a worker that are looked through */
    MESSAGES_LIMIT = 1 << 17,
    PLACES = 36,                /* words of a receive where its tag may be */
    MODULUS = 1021              /* by which UCX makes a bucket of a tag */
};

/* ---- The signature ------------------------------------------------------- */

static uint64_t bucket_of(uint64_t tag)
{
    return (tag & UINT32_MAX) % MODULUS ^ (tag >> 32) % MODULUS;
}

/* A list is empty from both its ends or from none. */
static int is_head(uint64_t head, uint64_t previous, uint64_t next)
{
    return reader_is_place(previous) && reader_is_place(next)
           && (previous == head) == (next == head);
}

/* What can be said of the words alone. */
static int is_likely(uint64_t at, const uint64_t *words)
{
    return reader_is_place(words[word_expected])
           && reader_is_place(words[word_unexpected])
           && reader_is_place(words[word_last])
           && (words[word_last] == at || reader_is_place(words[word_head]))
           && is_head(at + LIST, words[word_previous],
                      words[word_next])
           && words[word_count] <= MESSAGES_LIMIT;
}

static void decode(uint64_t *words, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++)
        words[i] = reader_word(&words[i]);
}

/* Every entry is empty or leads somewhere. */
static int are_tables(const struct matching *matching)
{
    int i;

    for (i = 0; i < BUCKETS; i++) {
        uint64_t at = matching->words[word_expected] + (uint64_t)i * 24;
        const uint64_t *entry = matching->expected[i];

        if (entry[1] != at
            && (!reader_is_place(entry[0]) || !reader_is_place(entry[1])))
            return 0;
        at = matching->words[word_unexpected] + (uint64_t)i * 16;
        entry = matching->unexpected[i];
        if (!is_head(at, entry[0], entry[1]))
            return 0;
    }
    return 1;
}

/* Reads the tables of what has the words of a matching. */
static int read_tables(struct reader *reader, struct matching *matching)
{
    int status = reader_take_large(reader, matching->words[word_unexpected],
                                   sizeof matching->unexpected,
                                   matching->unexpected);

    if (status == mqs_ok)
        status = reader_take_large(reader, matching->words[word_expected],
                                   sizeof matching->expected,
                                   matching->expected);
    if (status != mqs_ok)
        return status == err_unreadable ? mqs_end_of_list : status;
    decode(&matching->unexpected[0][0], sizeof matching->unexpected / 8);
    decode(&matching->expected[0][0], sizeof matching->expected / 8);
    return are_tables(matching) ? mqs_ok : mqs_end_of_list;
}

int matching_read(struct reader *reader, uint64_t address,
                  struct matching *matching)
{
    int status = reader_take_words(reader, address, matching_words,
                                   matching->words);

    if (status != mqs_ok)
        return status == err_unreadable ? mqs_end_of_list : status;
    matching->at = address;
    return is_likely(address, matching->words)
           ? read_tables(reader, matching) : mqs_end_of_list;
}

int matching_search(struct reader *reader, uint64_t address,
                    struct matching *room, struct matching *found)
{
    uint64_t words[WORKER / 8];
    int i, status = reader_take_words(reader, address, WORKER / 8, words);

    if (status != mqs_ok)
        return status == err_unreadable ? mqs_ok : status;
    for (i = 0; i + matching_words <= WORKER / 8; i++) {
        uint64_t at = address + (uint64_t)i * 8;

        if (at == found->at || !is_likely(at, words + i))
            continue;
        status = matching_read(reader, at, room);
        if (status == mqs_end_of_list)
            continue;
        if (status != mqs_ok)
            return status;
        if (found->at != 0)
            return err_several_workers;
        *found = *room;
    }
    return mqs_ok;
}

/* ---- Receives ------------------------------------------------------------ */

/* Where a version has more of a receive, by where it has the tag; counted from
 * the link.  The word at KIND shows that the data are bytes in a row.
 */
static const struct tail {
    int tag, length, buffer, kind, owner;
    uint64_t kind_mask, kind_value;
} tails[] = {
    { 0xa8, 0x18, 0x08, 0x10, -0x08, UINT64_MAX, 8 },           /* 1.13 */
    { 0x10, -0x78, -0x68, -0x80, -0x90, UINT32_MAX, 0 }         /* 1.18, 1.23 */
};

/* One way through all receives. */
struct way {
    struct reader *reader;
    const struct matching *matching;
    matching_is_pair *is_pair;
    uint64_t places;            /* bits: where the tag may be, in words */
    int place;                  /* where it is, or 0 */
    uint64_t sequence;          /* of the receive before in the queue */
    size_t count;
    matching_take *take;
    void *context;
};

/* Whether a tag, its mask and its number may be at WORDS. */
static int is_receive(const struct way *way, const uint64_t *words,
                      int bucket)
{
    if (!way->is_pair(words[0], words[1])
        || words[2] >= way->matching->words[word_sequence])
        return 0;
    return bucket < 0 || (words[1] == UINT64_MAX
                          && bucket_of(words[0]) == (uint64_t)bucket);
}

/* What more this version has of the receive at AT. */
static void take_tail(struct way *way, uint64_t at,
                      struct matching_entry *entry)
{
    size_t i;

    for (i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        const struct tail *tail = &tails[i];
        uint64_t kind, length, buffer;

        if (tail->tag != way->place * 8)
            continue;
        if (reader_take_word(way->reader, at + (uint64_t)(int64_t)tail->owner,
                             &entry->owner) != mqs_ok)
            entry->owner = 0;
        if (reader_take_word(way->reader, at + (uint64_t)(int64_t)tail->kind,
                             &kind) == mqs_ok
            && (kind & tail->kind_mask) == tail->kind_value
            && reader_take_word(way->reader,
                                at + (uint64_t)(int64_t)tail->length,
                                &length) == mqs_ok
            && reader_take_word(way->reader,
                                at + (uint64_t)(int64_t)tail->buffer,
                                &buffer) == mqs_ok
            && length <= INT64_MAX >> 8 && (buffer != 0 || length == 0)) {
            entry->length = (int64_t)length;
            entry->buffer = buffer;
        }
    }
}

/* Looks at one receive: narrows the places down, or gives it on. */
static int meet(struct way *way, uint64_t at, const uint64_t *words,
                int bucket)
{
    struct matching_entry entry = { at, 0, 0, -1, 0, 0, 0, 0 };
    uint64_t places = 0;
    int i;

    if (way->place == 0) {
        for (i = 1; i + 3 <= PLACES; i++)
            if (is_receive(way, words + i, bucket))
                places |= UINT64_C(1) << i;
        way->places &= places;
        return mqs_ok;
    }
    words += way->place;
    if (!is_receive(way, words, bucket)
        || (way->sequence != 0 && words[2] < way->sequence))
        return err_torn;
    way->sequence = words[2] + 1;
    entry.tag = words[0];
    entry.mask = words[1];
    take_tail(way, at, &entry);
    return way->take(way->context, &entry);
}

/* Follows a queue from its first link to the one that LAST says. */
static int follow(struct way *way, uint64_t at, uint64_t last, int bucket)
{
    uint64_t words[PLACES];
    int status;

    way->sequence = 0;
    for (;;) {
        if (!reader_is_place(at)
            || way->count++ >= way->matching->words[word_count])
            return err_torn;
        status = reader_take_words(way->reader, at, PLACES, words);
        if (status == mqs_ok)
            status = meet(way, at, words, bucket);
        if (status != mqs_ok || at == last)
            return status;
        at = words[0];
    }
}

static int follow_all(struct way *way)
{
    const struct matching *matching = way->matching;
    int i, status = mqs_ok;

    way->count = 0;
    if (matching->words[word_last] != matching->at)
        status = follow(way, matching->words[word_head],
                        matching->words[word_last], -1);
    for (i = 0; i < BUCKETS && status == mqs_ok; i++) {
        const uint64_t *entry = matching->expected[i];

        if (entry[1] != matching->words[word_expected] + (uint64_t)i * 24)
            status = follow(way, entry[0], entry[1], i);
    }
    if (status == mqs_ok && way->count != matching->words[word_count])
        return err_torn;
    return status;
}

static int is_one(uint64_t places)
{
    return places != 0 && (places & (places - 1)) == 0;
}

int matching_receives(struct reader *reader, const struct matching *matching,
                      matching_is_pair *is_pair, matching_take *take,
                      void *context)
{
    struct way way = { reader, matching, is_pair, UINT64_MAX, 0, 0, 0, take,
                       context };
    uint64_t known = 0;         /* the places that versions have */
    int status = follow_all(&way);
    size_t i;

    if (status != mqs_ok || way.count == 0)
        return status;
    if (!is_one(way.places)) {
        for (i = 0; i < sizeof tails / sizeof tails[0]; i++)
            known |= UINT64_C(1) << tails[i].tag / 8;
        way.places &= known;
    }
    if (!is_one(way.places))
        return err_bad_layout;
    while ((way.places >> way.place & 1) == 0)
        way.place++;
    return follow_all(&way);
}

/* ---- Arrived messages ---------------------------------------------------- */

enum {
    descriptor_link = 16,       /* its link in the list of all */
    descriptor_length = 32,
    descriptor_offset = 36,     /* where its payload begins */
    descriptor_flags = 40,
    descriptor_tag = 48,        /* the header that came with it */
    descriptor_total = 56,      /* of the first piece of several: in all */
    descriptor_mark = 64,       /* of one whose sender waits; of the first */
    descriptor_late_mark = 80,  /*   piece of several it is here */
    descriptor_size = 80,       /* of one whose data are at the sender */
    DESCRIPTOR = 88,

    flag_eager = 2, flag_only = 4, flag_synchronous = 8, flag_rendezvous = 64
};

/* How long a message is, if this is one of the kinds that are known. */
static int64_t length_of(const unsigned char *bytes, uint32_t flags)
{
    uint32_t length = reader_half(bytes + descriptor_length);
    uint32_t offset = reader_half(bytes + descriptor_offset);
    uint64_t total = UINT64_MAX;

    if ((flags & flag_rendezvous) != 0) {
        if (length > offset && offset >= 40)
            total = reader_word(bytes + descriptor_size);
    } else if ((flags & flag_only) != 0) {
        if (length >= offset)
            total = length - offset;
    } else if ((flags & flag_eager) != 0 && offset >= 16) {
        total = reader_word(bytes + descriptor_total);
    }
    return total <= INT64_MAX >> 8 ? (int64_t)total : -1;
}

/* Where all bytes of a complete message are, or 0: those of several pieces are
 * not in a row.  A pending one has none, which shows that its sender waits.
 */
static uint64_t buffer_of(const unsigned char *bytes, uint32_t flags,
                          uint64_t link, int64_t length)
{
    if ((flags & (flag_synchronous | flag_rendezvous)) != 0
        || (flags & flag_only) == 0 || length <= 0)
        return 0;
    return link - descriptor_link + descriptor_tag
           + reader_half(bytes + descriptor_offset);
}

/* The mark of a message whose sender waits until it is received, or 0. */
static uint64_t mark_of(const unsigned char *bytes, uint32_t flags)
{
    int is_first = (flags & flag_rendezvous) == 0 && (flags & flag_only) == 0;
    int place = is_first ? descriptor_late_mark : descriptor_mark;

    if ((flags & (flag_rendezvous | flag_synchronous)) == 0
        || reader_half(bytes + descriptor_offset) + descriptor_tag
           < (uint32_t)place + 8)
        return 0;
    return reader_word(bytes + place);
}

/* Whether each bucket that has something in it was met. */
static int are_all_seen(const struct matching *matching,
                        const unsigned char *seen)
{
    int i;

    for (i = 0; i < BUCKETS; i++)
        if (!seen[i] && matching->unexpected[i][0]
                        != matching->words[word_unexpected] + (uint64_t)i * 16)
            return 0;
    return 1;
}

int matching_arrived(struct reader *reader, const struct matching *matching,
                     matching_take *take, void *context)
{
    uint64_t head = matching->at + LIST, before = head;
    uint64_t link = matching->words[word_next];
    unsigned char seen[BUCKETS] = { 0 }, bytes[DESCRIPTOR];
    int status = mqs_ok;
    size_t count = 0;

    for (; link != head && status == mqs_ok; count++) {
        struct matching_entry entry = { 0, 0, 0, -1, 0, 0, 0, 0 };
        uint32_t flags;

        if (!reader_is_place(link) || count == MESSAGES_LIMIT)
            return err_torn;
        status = reader_take(reader, link - descriptor_link, sizeof bytes,
                             bytes);
        if (status != mqs_ok)
            return status;
        flags = reader_half(bytes + descriptor_flags) & 0xffff;
        entry.tag = reader_word(bytes + descriptor_tag);
        entry.length = length_of(bytes, flags);
        entry.buffer = buffer_of(bytes, flags, link, entry.length);
        entry.mark = mark_of(bytes, flags);
        entry.is_pending = (flags & (flag_synchronous | flag_rendezvous))
                           != 0;
        if (reader_word(bytes + descriptor_link) != before
            || matching->unexpected[bucket_of(entry.tag)][0]
               == matching->words[word_unexpected] + bucket_of(entry.tag) * 16)
            return err_torn;
        seen[bucket_of(entry.tag)] = 1;
        status = take(context, &entry);
        before = link;
        link = reader_word(bytes + descriptor_link + 8);
    }
    if (status == mqs_ok && (before != matching->words[word_previous]
                             || !are_all_seen(matching, seen)))
        return err_torn;
    return status;
}
