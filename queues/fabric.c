/* fabric.c - receives and messages of a libfabric endpoint
 *
 * Only the provider ofi_rxm is supported.  In libfabric 1.17 its endpoint holds
 * a queue for untagged messages and, behind that, one for tagged messages, each
 * with a list of receives and one of arrived messages.  In 2.1 it points to a
 * struct that several providers share: lists of receives from any source, and
 * for each address in a table, of its receives and its arrived messages.  The
 * endpoint is searched for either form, and exactly one place must match.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/fabric.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/store.h"

enum {
    DOMAIN = 80, FABRIC = 56, PROVIDER = 112, PROVIDER_NAME = 40,
    SEARCHED = 2048             /* words of an endpoint */
};

/* A queue of an endpoint's own, and its entries from their links on. */
enum {
    OWN_ENDPOINT = 0, OWN_KIND = 8, OWN_POOL = 16, OWN_RECEIVES = 24,
    OWN_ARRIVED = 40, OWN = 80,
    IS_UNTAGGED = 1, IS_TAGGED = 2,     /* kinds */
    OWN_SOURCE = 120, OWN_OWNER = 128, OWN_TAG = 144, OWN_IGNORED = 152,
    OWN_LENGTH = 168, OWN_QUEUE = 176, OWN_RECEIVE = 184
};

/* What is shared.  A table has addresses of pieces, and the size of what is in
 * these.
 */
enum {
    PIECES = 1024, IN_PIECE = 1024,
    SHARED_CLASS = 0, SHARED_SELF = 8, SHARED_IS_DIRECTED = 96,
    SHARED_COUNT = 152, SHARED_UNTAGGED = 160, SHARED_RECEIVES = 176,
    TABLE_SIZE = 8 * PIECES, TABLE_MAKE = TABLE_SIZE + 8,
    TABLE = TABLE_MAKE + 8,
    UNTAGGED = 192, RECEIVES = UNTAGGED + TABLE,
    NOWHERE = RECEIVES + TABLE, NOWHERE_TAGGED = NOWHERE + 16,
    PEERS = NOWHERE + 32, PEERS_TABLE = PEERS + 16,
    PEER_UNTAGGED = 16, PEER_TAGGED = 32, PEER_COUNT = 48, PEER = 56,
    IS_CONTEXT = 6              /* value of class */
};

/* An entry of a list there. */
enum {
    ENTRY_NEXT = 0, ENTRY_SHARED = 16, ENTRY_SOURCE = 24, ENTRY_LENGTH = 32,
    ENTRY_TAG = 40, ENTRY_OWNER = 64, ENTRY_BUFFER = 88, ENTRY_NUMBER = 112,
    ENTRY_IGNORED = 120, ENTRY = 128
};

/* What has arrived is in a buffer, the same in both but for a word. */
enum {
    BUFFER_ENDPOINT = 48,
    BUFFER_LINK = 96, BUFFER_SOURCE = 112, BUFFER_TAG = 120,    /* if it is on
                                                               a list itself */
    BUFFER_ENTRY = 104, BUFFER = 128,
    OWN_PACKET = 232, SHARED_PACKET = 224,
    PACKET_KIND = 1, PACKET_OPERATION = 34, PACKET_FLAGS = 36,
    PACKET_LENGTH = 40, PACKET_DATA = 48, PACKET_TAG = 56, PACKET = 64,
    IS_WHOLE = 0, IS_PIECE = 1, IS_AT_SENDER = 2,       /* kinds */
    OPERATION_TAGGED = 1, HAS_DATA = 0x20000
};

/* ---- Finding it ---------------------------------------------------------- */

static int is_rxm(struct reader *reader, uint64_t endpoint)
{
    static const int path[] = { DOMAIN, FABRIC, PROVIDER, PROVIDER_NAME };
    static const char wanted[] = "ofi_rxm";
    char name[sizeof wanted];
    uint64_t at = endpoint;
    size_t i;

    for (i = 0; i < sizeof path / sizeof path[0]; i++)
        if (!reader_is_place(at)
            || reader_take_word(reader, at + (uint64_t)path[i], &at) != mqs_ok)
            return 0;
    return reader_take(reader, at, sizeof name, name) == mqs_ok
           && memcmp(name, wanted, sizeof wanted) == 0;
}

/* Whether the list at HEAD is empty from both its ends or from none. */
static int is_head(uint64_t head, const uint64_t *words)
{
    return reader_is_place(words[0]) && reader_is_place(words[1])
           && (words[0] == head) == (words[1] == head);
}

static int is_own_of(struct reader *reader, uint64_t at, uint64_t endpoint,
                     uint64_t kind)
{
    uint64_t words[OWN / 8];

    return reader_take_words(reader, at, OWN / 8, words) == mqs_ok
           && words[OWN_ENDPOINT / 8] == endpoint
           && (words[OWN_KIND / 8] & UINT32_MAX) == kind
           && reader_is_place(words[OWN_POOL / 8])
           && is_head(at + OWN_RECEIVES, words + OWN_RECEIVES / 8)
           && is_head(at + OWN_ARRIVED, words + OWN_ARRIVED / 8);
}

/* A table with elements of SIZE; how one is made is *MAKE. */
static int is_table(struct reader *reader, uint64_t at, uint64_t size,
                    uint64_t *make)
{
    uint64_t words[2];

    if (reader_take_words(reader, at + TABLE_SIZE, 2, words) != mqs_ok)
        return 0;
    *make = words[1];
    return words[0] == size && words[1] >= PAGE;
}

/* Messages of no known source are nowhere where they are looked for. */
static int is_shared(struct reader *reader, uint64_t at)
{
    uint64_t words[SHARED_RECEIVES / 8], heads[6], makes[3];

    return reader_take_words(reader, at, SHARED_RECEIVES / 8, words) == mqs_ok
           && words[SHARED_CLASS / 8] == IS_CONTEXT
           && words[SHARED_SELF / 8] == at
           && (words[SHARED_IS_DIRECTED / 8] & 0xff) == 1
           && words[SHARED_UNTAGGED / 8] == 0
           && is_table(reader, at + UNTAGGED, 16, &makes[0])
           && is_table(reader, at + RECEIVES, 16, &makes[1])
           && is_table(reader, at + PEERS_TABLE, PEER, &makes[2])
           && makes[0] == makes[1] && makes[0] != makes[2]
           && reader_take_words(reader, at + NOWHERE, 6, heads) == mqs_ok
           && heads[0] == at + NOWHERE && heads[1] == at + NOWHERE
           && heads[2] == at + NOWHERE_TAGGED
           && heads[3] == at + NOWHERE_TAGGED
           && is_head(at + PEERS, heads + 4);
}

/* Takes what is at ADDRESS, or WORD, which is there. */
static int try_word(struct reader *reader, uint64_t address, uint64_t word,
                    struct fabric *fabric)
{
    int is_own = word == fabric->endpoint
                 && is_own_of(reader, address, word, IS_TAGGED)
                 && is_own_of(reader, address - OWN, word, IS_UNTAGGED);
    uint64_t at = is_own ? address : word;

    if (!is_own && (!reader_is_place(word) || !is_shared(reader, word)))
        return mqs_ok;
    if (fabric->at != 0 && fabric->at != at)
        return err_no_fabric;
    fabric->at = at;
    fabric->is_shared = !is_own;
    return mqs_ok;
}

int fabric_find(struct reader *reader, uint64_t address, struct fabric *fabric)
{
    struct fabric made = { address, 0, 0 };
    size_t i;
    uint64_t *words;
    int status;

    if (!is_rxm(reader, address))
        return err_no_fabric;
    words = store_take(SEARCHED * sizeof *words);
    if (words == NULL)
        return err_no_store;
    status = reader_take_large(reader, address, SEARCHED * sizeof *words,
                               words);
    for (i = 0; i < SEARCHED && status == mqs_ok; i++)
        status = try_word(reader, address + i * 8, reader_word(&words[i]),
                          &made);
    store_give(words);
    if (status == mqs_ok && made.at == 0)
        return err_no_fabric;
    if (status == mqs_ok)
        *fabric = made;
    return status;
}

/* ---- Lists --------------------------------------------------------------- */

/* What is at hand while they are gone through. */
struct way {
    struct reader *reader;
    const struct fabric *fabric;
    fabric_take *take;
    void *context;
};

typedef int take_item(struct way *, uint64_t link);

/* Goes through the doubly linked list at HEAD, whose links must agree. */
static int walk(struct way *way, uint64_t head, take_item *take)
{
    uint64_t ends[2], links[2], link, before = head;
    int status = reader_take_words(way->reader, head, 2, ends);

    if (status != mqs_ok)
        return status;
    for (link = ends[0]; link != head && status == mqs_ok; link = links[0]) {
        status = reader_is_place(link)
                 ? reader_take_words(way->reader, link, 2, links) : err_torn;
        if (status == mqs_ok && links[1] != before)
            status = err_torn;
        if (status != mqs_ok)
            return status;
        status = take(way, link);
        before = link;
    }
    return status == mqs_ok && ends[1] != before ? err_torn : status;
}

/* Gives the message whose packet is at ADDRESS; ENTRY has what is known. */
static int take_packet(struct way *way, uint64_t address,
                       struct fabric_entry *entry)
{
    unsigned char bytes[PACKET];
    int status = reader_take(way->reader, address, sizeof bytes, bytes);

    if (status != mqs_ok)
        return status;
    entry->length = reader_word(bytes + PACKET_LENGTH);
    entry->data = reader_word(bytes + PACKET_DATA);
    entry->is_pending = bytes[PACKET_KIND] == IS_AT_SENDER;
    return bytes[PACKET_KIND] <= IS_AT_SENDER
           && bytes[PACKET_OPERATION] == OPERATION_TAGGED
           && (reader_half(bytes + PACKET_FLAGS) & HAS_DATA) != 0
           && reader_word(bytes + PACKET_TAG) == entry->tag
           ? way->take(way->context, entry) : err_torn;
}

/* Where a receive has what. */
struct receive_layout {
    int tag, ignored, source, length, owner;
};

static int take_receive(struct way *way, const unsigned char *bytes,
                        const struct receive_layout *at)
{
    struct fabric_entry entry;

    memset(&entry, 0, sizeof entry);
    entry.tag = reader_word(bytes + at->tag);
    entry.ignored = reader_word(bytes + at->ignored);
    entry.source = reader_word(bytes + at->source);
    entry.length = reader_word(bytes + at->length);
    entry.owner = reader_word(bytes + at->owner);
    return way->take(way->context, &entry);
}

/* ---- An endpoint's own queue --------------------------------------------- */

static int take_own_receive(struct way *way, uint64_t link)
{
    static const struct receive_layout layout = {
        OWN_TAG, OWN_IGNORED, OWN_SOURCE, OWN_LENGTH, OWN_OWNER
    };
    unsigned char bytes[OWN_RECEIVE];
    int status = reader_take(way->reader, link, sizeof bytes, bytes);

    if (status == mqs_ok && reader_word(bytes + OWN_QUEUE) != way->fabric->at)
        status = err_torn;
    return status != mqs_ok ? status : take_receive(way, bytes, &layout);
}

static int take_own_arrived(struct way *way, uint64_t link)
{
    uint64_t buffer = link - BUFFER_LINK, words[BUFFER / 8];
    struct fabric_entry entry;
    int status = reader_take_words(way->reader, buffer, BUFFER / 8, words);

    if (status == mqs_ok
        && words[BUFFER_ENDPOINT / 8] != way->fabric->endpoint)
        status = err_torn;
    if (status != mqs_ok)
        return status;
    memset(&entry, 0, sizeof entry);
    entry.tag = words[BUFFER_TAG / 8];
    entry.source = words[BUFFER_SOURCE / 8];
    return take_packet(way, buffer + OWN_PACKET, &entry);
}

/* ---- What is shared ------------------------------------------------------ */

/* Takes the receives of a list, which are numbered in the order in which they
 * were posted, below COUNT, all with this SOURCE.
 */
static int take_list(struct way *way, const uint64_t *ends, uint64_t count,
                     uint64_t source)
{
    static const struct receive_layout layout = {
        ENTRY_TAG, ENTRY_IGNORED, ENTRY_SOURCE, ENTRY_LENGTH, ENTRY_OWNER
    };
    uint64_t at = ends[0], last = 0, number = 0, next = 0;
    int status = mqs_ok;

    for (; at != 0 && status == mqs_ok; last = at, at = next) {
        unsigned char bytes[ENTRY];
        uint64_t before = last == 0 ? 0 : number + 1;

        status = reader_is_place(at)
                 ? reader_take(way->reader, at, sizeof bytes, bytes) : err_torn;
        if (status != mqs_ok)
            return status;
        next = reader_word(bytes + ENTRY_NEXT);
        number = reader_word(bytes + ENTRY_NUMBER);
        status = number >= before && number < count
                 && reader_word(bytes + ENTRY_SOURCE) == source
                 ? take_receive(way, bytes, &layout) : err_torn;
    }
    return status == mqs_ok && ends[0] != 0 && last != ends[1] ? err_torn
           : status;
}

/* Takes the receives from each source in PIECE of the table, the first one is
 * FIRST.
 */
static int take_piece(struct way *way, uint64_t piece, uint64_t first,
                      uint64_t count)
{
    enum { LENGTH = 16 * IN_PIECE };
    unsigned char *bytes = reader_is_place(piece) ? store_take(LENGTH) : NULL;
    uint64_t i;
    int status = !reader_is_place(piece) ? err_torn
                 : bytes == NULL ? err_no_store
                 : reader_take_large(way->reader, piece, LENGTH, bytes);

    for (i = 0; i < IN_PIECE && status == mqs_ok; i++) {
        uint64_t ends[2] = { reader_word(bytes + i * 16),
                             reader_word(bytes + i * 16 + 8) };

        status = take_list(way, ends, count, first + i);
    }
    store_give(bytes);
    return status;
}

static int take_shared_receives(struct way *way)
{
    uint64_t words[4], i;       /* their count, untagged ones, those from any */
    unsigned char pieces[8 * PIECES];
    int status = reader_take_words(way->reader, way->fabric->at + SHARED_COUNT,
                                   1, words);

    if (status == mqs_ok)
        status = reader_take_words(way->reader,
                                   way->fabric->at + SHARED_RECEIVES, 2,
                                   words + 1);
    if (status == mqs_ok)
        status = take_list(way, words + 1, words[0], UINT64_MAX);
    if (status == mqs_ok)
        status = reader_take_large(way->reader, way->fabric->at + RECEIVES,
                                   sizeof pieces, pieces);
    for (i = 0; i < PIECES && status == mqs_ok; i++) {
        uint64_t piece = reader_word(pieces + i * 8);

        if (piece != 0)
            status = take_piece(way, piece, i * IN_PIECE, words[0]);
    }
    return status;
}

static int take_shared_message(struct way *way, uint64_t at, uint64_t *next)
{
    uint64_t words[ENTRY / 8], buffer[BUFFER / 8];
    struct fabric_entry entry;
    int status = reader_is_place(at)
                 ? reader_take_words(way->reader, at, ENTRY / 8, words)
                 : err_torn;

    if (status == mqs_ok && (words[ENTRY_SHARED / 8] != way->fabric->at
                             || !reader_is_place(words[ENTRY_BUFFER / 8])))
        status = err_torn;
    if (status == mqs_ok)
        status = reader_take_words(way->reader, words[ENTRY_BUFFER / 8],
                                   BUFFER / 8, buffer);
    if (status == mqs_ok
        && (buffer[BUFFER_ENDPOINT / 8] != way->fabric->endpoint
            || buffer[BUFFER_ENTRY / 8] != at))
        status = err_torn;
    if (status != mqs_ok)
        return status;
    *next = words[ENTRY_NEXT / 8];
    memset(&entry, 0, sizeof entry);
    entry.tag = words[ENTRY_TAG / 8];
    entry.source = words[ENTRY_SOURCE / 8];
    return take_packet(way, words[ENTRY_BUFFER / 8] + SHARED_PACKET, &entry);
}

/* Takes what has arrived from a peer: as many as it has counted. */
static int take_peer(struct way *way, uint64_t peer)
{
    uint64_t words[PEER / 8], at, last = 0;
    uint32_t left;
    int status = reader_take_words(way->reader, peer, PEER / 8, words);

    if (status != mqs_ok)
        return status;
    left = (uint32_t)words[PEER_COUNT / 8];
    for (at = words[PEER_TAGGED / 8]; at != 0 && status == mqs_ok; left--) {
        last = at;
        status = left > 0 ? take_shared_message(way, last, &at) : err_torn;
    }
    return status == mqs_ok
           && (left != 0 || last != words[PEER_TAGGED / 8 + 1]
               || words[PEER_UNTAGGED / 8] != 0) ? err_torn : status;
}

/* ---- Both ---------------------------------------------------------------- */

int fabric_receives(struct reader *reader, const struct fabric *fabric,
                    fabric_take *take, void *context)
{
    struct way way = { reader, fabric, take, context };

    return fabric->is_shared
           ? take_shared_receives(&way)
           : walk(&way, fabric->at + OWN_RECEIVES, take_own_receive);
}

int fabric_arrived(struct reader *reader, const struct fabric *fabric,
                   fabric_take *take, void *context)
{
    struct way way = { reader, fabric, take, context };

    return fabric->is_shared
           ? walk(&way, fabric->at + PEERS, take_peer)
           : walk(&way, fabric->at + OWN_ARRIVED, take_own_arrived);
}
