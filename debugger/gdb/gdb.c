/* gdb.c - targets behind gdb: memory in blocks, symbols and types by request */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gdb/gdb.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "base/word.h"
#include "gdb/relay.h"
#include "process/proc_stat.h"
#include "process/proc_status.h"
#include "process/program.h"
#include "process/refusal.h"
#include "process/regular.h"

enum {
    block_size = 4096,          /* no page is smaller, so a block is readable
                                   or not as a whole */
    most_blocks = 1 << 13,      /* then all are forgotten */
    longest_read = 1 << 16,     /* bytes of one request */
    longest_write = 2048,
    largest_type = 1 << 20,
    most_members = 1 << 14,
    longest_name = 256,
    most_files = 3              /* program, types, core file */
};

struct type {
    struct type *next;
    struct mq_target_type shown;
    char *name;
    struct mq_member *members;
    char *names;                /* of the members */
};

/* What gdb said of a site: its texts are these bytes. */
struct said {
    struct said *next;
    char words[];
};

struct gdb_target {
    struct mq_target target;
    struct mq_gdb_link *link;
    bool owns_link;
    int inferior;               /* gdb's number of it */
    struct mq_owner process;    /* of this host; nothing pinned: the subject is
                                   none */
    bool is_stopped;
    char *name, *image;
    struct mq_stack stack;
    char *words;                /* that the stack's strings are */
    struct said *sites;
    int files[most_files];      /* that gdb reads through this process */
    size_t file_count;
    struct type *types;
    struct mq_map block_of;     /* indices in blocks, by address */
    unsigned char **blocks;     /* null: cannot be read */
    size_t block_count, block_room;
};

static struct gdb_target *gdb_of(struct mq_target *target)
{
    return (struct gdb_target *)target;
}

/* Asks VERB about one text. */
static enum mq_result ask_text(struct gdb_target *gdb, struct mq_error *error,
                               char **words, const char *verb,
                               const char *text)
{
    char *word = malloc(3 * strlen(text) + 2);
    enum mq_result result;

    if (word == NULL)
        return mq_fail_memory(error, "for a request to gdb");
    mq_word_quote(text, word);
    result = mq_gdb_link_ask(gdb->link, gdb->inferior, error, words, "%s %s",
                             verb, word);
    free(word);
    return result;
}

/* ==== Answers =========================================================== */

static enum mq_result not_understood(struct mq_error *error, const char *what)
{
    return mq_fail(error, "gdb's answer about %s makes no sense", what);
}

/* A decimal number of at most LARGEST that ends at one of ENDS. */
static bool take_number(char **text, const char *ends, uint64_t largest,
                        uint64_t *number)
{
    const char *end = *text;

    if (mq_number_read(&end, largest, number) != mq_number_ok
        || strchr(ends, *end) == NULL)
        return false;
    *text += end - *text + (*end != '\0');
    return true;
}

/* ==== Memory ============================================================ */

static void forget_blocks(struct gdb_target *gdb)
{
    while (gdb->block_count > 0)
        free(gdb->blocks[--gdb->block_count]);
    mq_map_empty(&gdb->block_of);
}

/* Reads without the blocks. */
static enum mq_result read_through(struct gdb_target *gdb, uint64_t address,
                                   size_t length, struct mq_error *error,
                                   void *bytes)
{
    unsigned char *to = bytes;

    while (length > 0) {
        size_t step = length < longest_read ? length : longest_read;
        char *words;
        enum mq_result result = mq_gdb_link_ask(gdb->link, gdb->inferior,
                                                error, &words,
                                                "read 0x%llx %zu",
                                                (unsigned long long)address,
                                                step);

        if (result != mq_ok)
            return mq_failed;
        if (strlen(words) != 2 * step || mq_hex_decode(words, step, to) != step)
            return not_understood(error, "memory");
        address += step;
        to += step;
        length -= step;
    }
    return mq_ok;
}

/* The block at ADDRESS, read if need be; null if it cannot be read. */
static const unsigned char *block_at(struct gdb_target *gdb, uint64_t address)
{
    struct mq_key key = { address, 0 };
    const uint32_t *known = mq_map_find(&gdb->block_of, key);
    unsigned char *bytes;
    uint32_t *index;

    if (known != NULL)
        return gdb->blocks[*known];
    if (gdb->block_count == most_blocks)
        forget_blocks(gdb);
    bytes = malloc(block_size);
    if (bytes == NULL)
        return NULL;
    if (read_through(gdb, address, block_size, NULL, bytes) != mq_ok) {
        free(bytes);
        bytes = NULL;
    }
    if (mq_array_reserve(&gdb->blocks, sizeof gdb->blocks[0],
                         gdb->block_count + 1, &gdb->block_room,
                         "for memory behind gdb", NULL) != mq_ok
        || mq_map_add(&gdb->block_of, key, (uint32_t)gdb->block_count, NULL,
                      &index) != mq_ok) {
        free(bytes);
        return NULL;
    }
    gdb->blocks[gdb->block_count++] = bytes;
    return bytes;
}

/* Copies what lies in blocks, or says that it does not. */
static bool read_blocks(struct gdb_target *gdb, uint64_t address,
                        size_t length, unsigned char *bytes)
{
    while (length > 0) {
        size_t offset = (size_t)(address % block_size);
        size_t step = block_size - offset;
        const unsigned char *block;

        if (step > length)
            step = length;
        block = address < block_size ? NULL : block_at(gdb, address - offset);
        if (block == NULL)
            return false;
        memcpy(bytes, block + offset, step);
        address += step;
        bytes += step;
        length -= step;
    }
    return true;
}

static enum mq_result gdb_read(struct mq_target *target, uint64_t address,
                               size_t length, struct mq_error *error,
                               void *bytes)
{
    struct gdb_target *gdb = gdb_of(target);

    if (length == 0)
        return mq_ok;
    if (address == 0 || length - 1 > UINT64_MAX - address)
        return mq_fail(error, "%s: there is no memory at 0x%llx",
                       target->name, (unsigned long long)address);
    if (length <= block_size && read_blocks(gdb, address, length, bytes))
        return mq_ok;
    return read_through(gdb, address, length, error, bytes);
}

static enum mq_result gdb_write(struct mq_target *target, uint64_t address,
                                size_t length, const void *bytes,
                                struct mq_error *error)
{
    struct gdb_target *gdb = gdb_of(target);
    const unsigned char *from = bytes;
    char hex[2 * longest_write + 1], *words;

    forget_blocks(gdb);
    while (length > 0) {
        size_t i, step = length < longest_write ? length : longest_write;

        for (i = 0; i < step; i++)
            sprintf(hex + 2 * i, "%02x", from[i]);
        if (mq_gdb_link_ask(gdb->link, gdb->inferior, error, &words,
                            "write 0x%llx %s", (unsigned long long)address,
                            hex) != mq_ok)
            return mq_failed;
        address += step;
        from += step;
        length -= step;
    }
    return mq_ok;
}

/* ==== Symbols and types ================================================= */

static enum mq_result gdb_find_name(struct mq_target *target, const char *name,
                                    bool functions_only, struct mq_error *error,
                                    uint64_t *address)
{
    char *words, *kind;
    const char *end;
    uint64_t value = 0;
    enum mq_result result;

    if (strlen(name) > longest_name)
        return mq_absent;
    result = ask_text(gdb_of(target), error, &words, "symbol", name);
    if (result != mq_ok)
        return result;
    kind = mq_word_next(&words);
    end = words;
    if (mq_number_read_hex(&end, &value) != mq_number_ok || *end != '\0')
        return not_understood(error, "a symbol");
    if (functions_only && strcmp(kind, "function") != 0)
        return mq_absent;
    *address = value;
    return mq_ok;
}

static void type_free(struct type *type)
{
    free(type->name);
    free(type->names);
    free(type->members);
    free(type);
}

static void forget_types(struct gdb_target *gdb)
{
    while (gdb->types != NULL) {
        struct type *next = gdb->types->next;

        type_free(gdb->types);
        gdb->types = next;
    }
}

static bool take_member(const struct type *type, char **words,
                        struct mq_member *member)
{
    char *text = mq_word_next(words), *name = text;

    text = strchr(name, ':');
    if (text == NULL)
        return false;
    *text++ = '\0';
    mq_word_unquote(name);
    mq_text_tame(name);
    member->name = name;
    return take_number(&text, ":", type->shown.size, &member->offset)
           && take_number(&text, "", type->shown.size, &member->size)
           && member->offset + member->size <= type->shown.size;
}

/* Fills in TYPE from "SIZE NAME:OFFSET:SIZE ...". */
static enum mq_result take_type(struct type *type, char *words,
                                struct mq_error *error)
{
    size_t count = 1, i;

    for (const char *c = words; *c != '\0'; c++)
        count += *c == ' ';
    type->names = strdup(words);
    type->members = calloc(count, sizeof *type->members);
    if (type->names == NULL || type->members == NULL)
        return mq_fail_memory(error, "for a type");
    words = type->names;
    if (count > most_members
        || !take_number(&words, " ", largest_type, &type->shown.size))
        return not_understood(error, "a type");
    for (i = 0; i < count - 1; i++)
        if (!take_member(type, &words, &type->members[i]))
            return not_understood(error, "the members of a type");
    type->shown.name = type->name;
    type->shown.members = type->members;
    type->shown.member_count = count - 1;
    return mq_ok;
}

static enum mq_result gdb_find_type(struct mq_target *target, const char *name,
                                    struct mq_error *error,
                                    const struct mq_target_type **found)
{
    struct gdb_target *gdb = gdb_of(target);
    struct type *type;
    char *words;
    enum mq_result result;

    for (type = gdb->types; type != NULL; type = type->next) {
        if (strcmp(type->name, name) == 0) {
            *found = &type->shown;
            return mq_ok;
        }
    }
    if (strlen(name) > longest_name)
        return mq_absent;
    result = ask_text(gdb, error, &words, "type", name);
    if (result != mq_ok)
        return result;
    type = calloc(1, sizeof *type);
    if (type == NULL)
        return mq_fail_memory(error, "for a type");
    type->name = strdup(name);
    result = type->name == NULL ? mq_fail_memory(error, "for a type")
                                : take_type(type, words, error);
    if (result != mq_ok) {
        type_free(type);
        return result;
    }
    type->next = gdb->types;
    gdb->types = type;
    *found = &type->shown;
    return mq_ok;
}

/* ==== Stacks ============================================================ */

static void forget_stack(struct gdb_target *gdb)
{
    mq_stack_deinit(&gdb->stack);
    free(gdb->words);
    gdb->words = NULL;
    gdb->target.call = NULL;
    gdb->target.thread_count = 0;
    gdb->target.threads = NULL;
}

static enum mq_result take_stack(struct gdb_target *gdb, const char *words,
                                 struct mq_error *error)
{
    char *rest;

    gdb->words = rest = strdup(words);
    if (rest == NULL)
        return mq_fail_memory(error, "for a stack");
    while (*rest != '\0') {
        const char *keyword = mq_word_next(&rest);

        if (mq_stack_take(&gdb->stack, keyword, &rest, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Asks where the threads are.  What gdb cannot tell is not known. */
static enum mq_result ask_stack(struct gdb_target *gdb, struct mq_error *error)
{
    const struct mq_stack *stack = &gdb->stack;
    char *words;

    forget_stack(gdb);
    if (mq_gdb_link_ask(gdb->link, gdb->inferior, error, &words, "stack")
        != mq_ok)
        return mq_gdb_link_is_broken(gdb->link, error) ? mq_failed : mq_ok;
    if (take_stack(gdb, words, error) != mq_ok)
        return mq_failed;
    gdb->target.threads = stack->threads;
    gdb->target.thread_count = stack->thread_count;
    if (stack->thread_count > 0)
        gdb->target.call = stack->threads[0].call;
    return mq_ok;
}

static enum mq_result gdb_find_site(struct mq_target *target, uint64_t address,
                                    struct mq_error *error,
                                    struct mq_frame *site)
{
    struct gdb_target *gdb = gdb_of(target);
    char *words;
    struct said *said;
    enum mq_result result = mq_gdb_link_ask(gdb->link, gdb->inferior, error,
                                            &words, "site 0x%" PRIx64, address);

    if (result != mq_ok)
        return result;
    said = malloc(sizeof *said + strlen(words) + 1);
    if (said == NULL)
        return mq_fail_memory(error, "for the place of a call");
    said->next = gdb->sites;
    gdb->sites = said;
    memcpy(said->words, words, strlen(words) + 1);
    words = said->words;
    return mq_frame_take(&words, error, site);
}

static void forget_sites(struct gdb_target *gdb)
{
    while (gdb->sites != NULL) {
        struct said *next = gdb->sites->next;

        free(gdb->sites);
        gdb->sites = next;
    }
}

static enum mq_result gdb_mark(struct mq_target *target,
                               struct mq_error *error,
                               uint64_t *return_address, char **text)
{
    struct gdb_target *gdb = gdb_of(target);
    char *words;
    const char *end;
    enum mq_result result = mq_gdb_link_ask(gdb->link, gdb->inferior, error,
                                            &words, "mark");

    if (result != mq_ok)
        return mq_failed;
    end = mq_word_next(&words);
    if (mq_number_read_hex(&end, return_address) != mq_number_ok
        || *end != '\0')
        return not_understood(error, "the caller");
    *text = strdup(words);
    return *text != NULL ? mq_ok : mq_fail_memory(error, "for a stack");
}

static enum mq_result gdb_strangers(struct mq_target *target,
                                    struct mq_error *error, char **text)
{
    struct gdb_target *gdb = gdb_of(target);
    char *words;

    if (mq_gdb_link_ask(gdb->link, gdb->inferior, error, &words, "strangers")
        != mq_ok)
        return mq_failed;
    *text = strdup(words);
    return *text != NULL ? mq_ok : mq_fail_memory(error, "for a stack");
}

/* ==== Begin and end ===================================================== */

static enum mq_result gdb_let_go(struct mq_target *target,
                                 struct mq_error *error)
{
    struct gdb_target *gdb = gdb_of(target);
    char *words;

    if (gdb->process.pid == 0 || !gdb->is_stopped)
        return mq_ok;
    gdb->is_stopped = false;
    forget_blocks(gdb);
    if (mq_gdb_link_ask(gdb->link, gdb->inferior, error, &words, "detach")
        != mq_ok)
        return mq_failed;
    mq_gdb_link_let_go(gdb->link, gdb->process.pid);
    return mq_ok;
}

/* Lets go of the process.  A gdb of its own does so as it ends. */
static void gdb_destroy(struct mq_target *target)
{
    struct gdb_target *gdb = gdb_of(target);

    if (gdb->owns_link)
        mq_gdb_link_close(gdb->link);
    else
        gdb_let_go(target, NULL);
    while (gdb->file_count > 0)
        close(gdb->files[--gdb->file_count]);
    forget_types(gdb);
    forget_blocks(gdb);
    free(gdb->blocks);
    mq_map_deinit(&gdb->block_of);
    free(gdb->name);
    free(gdb->image);
    forget_stack(gdb);
    forget_sites(gdb);
    free(gdb);
}

static const struct mq_target_ops gdb_ops = {
    .read = gdb_read,
    .write = gdb_write,
    .find_name = gdb_find_name,
    .find_type = gdb_find_type,
    .find_site = gdb_find_site,
    .destroy = gdb_destroy
};

static enum mq_result gdb_stop(struct mq_target *target,
                               struct mq_error *error);

static const struct mq_live_ops live_ops = {
    .stop = gdb_stop,
    .let_go = gdb_let_go,
    .mark = gdb_mark,
    .strangers = gdb_strangers
};

static enum mq_result target_new(const char *name, int rank,
                                 struct mq_error *error,
                                 struct gdb_target **gdb)
{
    struct gdb_target *made = calloc(1, sizeof *made);

    if (made == NULL)
        return mq_fail_memory(error, "for a process");
    made->target.ops = &gdb_ops;
    made->target.live = &live_ops;
    made->target.rank = rank;
    made->target.name = made->name = strdup(name);
    if (made->name == NULL) {
        free(made);
        return mq_fail_memory(error, "for a process");
    }
    for (char *c = made->name; *c != '\0'; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    *gdb = made;
    return mq_ok;
}

static bool take_size(char **words, int *size)
{
    uint64_t number;
    char *word = mq_word_next(words);

    if (!take_number(&word, "", 8, &number)
        || (number != 1 && number != 2 && number != 4 && number != 8))
        return false;
    *size = (int)number;
    return true;
}

static enum mq_result name_image(struct gdb_target *gdb, const char *path,
                                 struct mq_error *error)
{
    if (gdb->image != NULL)
        return mq_ok;
    gdb->target.image = gdb->image = strdup(path[0] != '\0' ? path : "?");
    if (gdb->image == NULL)
        return mq_fail_memory(error, "for a process");
    mq_text_tame(gdb->image);
    return mq_ok;
}

/* Fills in what every target says of itself. */
static enum mq_result describe(struct gdb_target *gdb, struct mq_error *error)
{
    struct mq_type_sizes *sizes = &gdb->target.sizes;
    char *words, *order, *image;
    enum mq_result result = mq_gdb_link_ask(gdb->link, gdb->inferior, error,
                                            &words, "describe");

    if (result != mq_ok)
        return mq_failed;
    order = mq_word_next(&words);
    if (!take_size(&words, &sizes->short_size)
        || !take_size(&words, &sizes->int_size)
        || !take_size(&words, &sizes->long_size)
        || !take_size(&words, &sizes->long_long_size)
        || !take_size(&words, &sizes->pointer_size)
        || (strcmp(order, "little") != 0 && strcmp(order, "big") != 0))
        return not_understood(error, "the process");
    gdb->target.byte_order = order[0] == 'b' ? mq_big_endian
                                             : mq_little_endian;
    image = mq_word_next(&words);
    mq_word_unquote(image);
    if (name_image(gdb, image, error) != mq_ok)
        return mq_failed;
    return ask_stack(gdb, error);
}

struct mq_gdb_link *mq_gdb_link_of(const struct mq_target *target)
{
    return target->ops != &gdb_ops ? NULL
           : ((const struct gdb_target *)target)->link;
}

enum mq_result mq_gdb_follow(struct mq_target *target, struct mq_error *error)
{
    struct gdb_target *gdb = gdb_of(target);
    char *words;

    return mq_gdb_link_ask(gdb->link, gdb->inferior, error, &words, "follow");
}

enum mq_result mq_gdb_describe(struct mq_target *target,
                               struct mq_error *error)
{
    struct gdb_target *gdb = gdb_of(target);

    forget_blocks(gdb);
    forget_types(gdb);
    free(gdb->image);
    gdb->target.image = gdb->image = NULL;
    return describe(gdb, error);
}

/* Understands the answer to a run, as gdb_link.h has it. */
static enum mq_result take_event(char *words, struct mq_error *error,
                                 struct mq_gdb_event *event)
{
    static const char *const names[] = {
        [mq_gdb_entered] = "breakpoint", [mq_gdb_executed] = "exec",
        [mq_gdb_signalled] = "signal", [mq_gdb_exited] = "exited",
        [mq_gdb_stopped] = "stopped"
    };
    struct mq_gdb_event taken = { .kind = mq_gdb_entered };
    const char *name, *value;
    uint64_t process = 0;
    int64_t status = -1;

    if (!take_number(&words, " ", 1 << 30, &process))
        return not_understood(error, "which process stopped");
    taken.process = (int)process;
    name = mq_word_next(&words);
    value = words;
    while (strcmp(names[taken.kind], name) != 0)
        if (++taken.kind > mq_gdb_stopped)
            return not_understood(error, "what stopped the process");
    if (taken.kind == mq_gdb_entered)
        snprintf(taken.function, sizeof taken.function, "%s", words);
    if (taken.kind == mq_gdb_exited
        && (mq_number_read_signed(&value, &status) != mq_number_ok
            || *value != '\0' || status < -1 || status > INT_MAX))
        return not_understood(error, "the end of the process");
    taken.status = (int)status;
    *event = taken;
    return mq_ok;
}

bool mq_gdb_is_of(const struct mq_gdb_event *event,
                  const struct mq_target *target)
{
    return event->process
           == ((const struct gdb_target *)(const void *)target)->inferior;
}

enum mq_result mq_gdb_run(struct mq_target *target, const char *functions,
                          int seconds, struct mq_error *error,
                          struct mq_gdb_event *event)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$. ";
    struct gdb_target *gdb = gdb_of(target);
    char *words;
    enum mq_result result;

    if (strspn(functions, plain) != strlen(functions))
        return mq_fail(error, "'%s' is no function's name", functions);
    forget_blocks(gdb);
    result = mq_gdb_link_run(gdb->link, gdb->inferior, seconds, error, &words,
                             "run %s", functions);
    return result == mq_ok ? take_event(words, error, event) : result;
}

/* ==== Processes of this host ============================================ */

/* Whether THREAD has been in the kernel for a while where no signal reaches it,
 * as with a file system that does not answer.
 */
static bool is_out_of_reach(int thread)
{
    const double while_it_may_take = 2;
    double deadline = mq_now() + while_it_may_take;
    struct mq_proc_status first, now;

    if (mq_proc_state(thread) != 'D' || !mq_proc_status_read(thread, &first))
        return false;
    do {
        mq_nap(20);
        if (mq_proc_state(thread) != 'D' || !mq_proc_status_read(thread, &now)
            || now.waits != first.waits)
            return false;
    } while (mq_now() < deadline);
    return true;
}

/* A thread of process PID that is out of reach, or 0. */
static int find_out_of_reach(int pid)
{
    DIR *folder = mq_proc_threads(pid);
    int thread;

    while ((thread = mq_proc_next_thread(folder)) != 0)
        if (is_out_of_reach(thread))
            break;
    mq_proc_end_threads(folder);
    return thread;
}

/* ==== Opening =========================================================== */

/* Opens PATH for gdb. */
static enum mq_result hand_over(struct gdb_target *gdb, const char *path,
                                const char *what, struct mq_error *error,
                                int *opened)
{
    if (mq_regular_open_named(path, what, error, opened) != mq_ok)
        return mq_failed;
    gdb->files[gdb->file_count++] = *opened;
    return mq_ok;
}

/* The word for a file of hand_over's, which goes along; -1: none. */
static const char *pass(struct gdb_target *gdb, int file)
{
    if (file < 0)
        return "-";
    mq_gdb_link_pass(gdb->link, file);
    return "file";
}

/* Has gdb read the symbols of PROGRAM, a file of hand_over's or -1, and the
 * types.
 */
static enum mq_result load(struct gdb_target *gdb, int program,
                           const struct mq_gdb_options *options,
                           struct mq_error *error)
{
    const char *first, *second;
    int types = -1;
    char *words;

    if (options->types != NULL
        && hand_over(gdb, options->types, "object file", error, &types)
           != mq_ok)
        return mq_failed;
    first = pass(gdb, program);
    second = pass(gdb, types);
    return mq_gdb_link_ask_patiently(gdb->link, gdb->inferior, error, &words,
                                     "load %s %s", first, second);
}

/* The process that the subject names, which must still be that one. */
static enum mq_result pin(const struct mq_gdb_subject *subject,
                          struct mq_error *error, struct mq_owner *process)
{
    if (subject->owner.pid == 0)
        return mq_owner_pin(subject->pid, error, process);
    *process = subject->owner;
    return mq_owner_check(process, error);
}

static enum mq_result open_process(struct gdb_target *gdb,
                                   const struct mq_gdb_options *options,
                                   const struct mq_gdb_subject *subject,
                                   struct mq_error *error)
{
    char path[4096], own[64];
    int program = -1;
    struct mq_owner process;
    enum mq_result result;

    if (pin(subject, error, &process) != mq_ok)
        return mq_failed;
    /* Without permission to read it, attaching is what is refused. */
    snprintf(own, sizeof own, "/proc/%d/exe", subject->pid);
    hand_over(gdb, own, "program", NULL, &program);
    mq_program_path(subject->pid, path, sizeof path);
    result = load(gdb, program, options, error);
    if (result == mq_ok)
        result = name_image(gdb, path, error);
    if (result == mq_ok)
        gdb->process = process;
    return result;
}

static void detach(struct gdb_target *gdb)
{
    char *words;

    mq_gdb_link_ask(gdb->link, gdb->inferior, NULL, &words, "detach");
    mq_gdb_link_let_go(gdb->link, gdb->process.pid);
}

/* The process has another LIBRARY of MPI than the file that is there: lets go
 * of it.
 */
static enum mq_result refuse_library(struct gdb_target *gdb, char *library,
                                     struct mq_error *error)
{
    mq_word_unquote(library);
    mq_fail(error, "process %d has loaded another %s than the file that is "
            "there now, so its MPI calls are unknown: the file was removed or "
            "replaced since, or a link leads out of the process's container; "
            "put the old file back and look again", gdb->process.pid,
            library);
    detach(gdb);
    return mq_failed;
}

/* Whether gdb may attach, and is attached, to the process that was named. */
static enum mq_result check_pinned(const struct gdb_target *gdb,
                                   struct mq_error *error)
{
    const int pid = gdb->process.pid;
    struct mq_proc_status status;
    int thread;

    if (mq_proc_has_ended(pid))
        return mq_fail(error, "there is no process %d on this host", pid);
    if (mq_proc_status_read(pid, &status) && status.tracer != 0)
        return mq_refusal_explain(pid, error);
    thread = find_out_of_reach(pid);
    if (thread != 0)
        return mq_fail(error, "process %d cannot be stopped: its thread %d is "
                       "in the kernel (state D), which no signal ends; does it "
                       "use a file system that does not answer?", pid, thread);
    return mq_owner_check(&gdb->process, error);
}

/* gdb has attached, and says so in WORDS. */
static enum mq_result check_attached(struct gdb_target *gdb, char *words,
                                     struct mq_error *error)
{
    if (mq_owner_check(&gdb->process, error) != mq_ok) {
        detach(gdb);
        return mq_failed;
    }
    return *words == '\0' ? mq_ok : refuse_library(gdb, words, error);
}

static enum mq_result attach(struct gdb_target *gdb, struct mq_error *error)
{
    const int pid = gdb->process.pid;
    struct mq_error said;
    char *words;

    if (check_pinned(gdb, error) != mq_ok)
        return mq_failed;
    gdb->target.is_stopped = mq_proc_state(pid) == 'T';
    if (!gdb->target.is_stopped
        && mq_gdb_link_hold(gdb->link, &gdb->process, error) != mq_ok)
        return mq_failed;
    if (mq_gdb_link_ask(gdb->link, gdb->inferior, &said, &words, "attach %d",
                        pid) == mq_ok)
        return check_attached(gdb, words, error);
    if (mq_gdb_link_is_broken(gdb->link, &said))
        return mq_fail(error, "%s: %s", gdb->name, said.text);
    if (check_pinned(gdb, error) != mq_ok)
        return mq_failed;
    return strstr(said.text, "not permitted") != NULL
           ? mq_refusal_explain(pid, error)
           : mq_fail(error, "cannot attach to process %d: %s", pid, said.text);
}

static enum mq_result open_core(struct gdb_target *gdb,
                                const struct mq_gdb_options *options,
                                const struct mq_gdb_subject *subject,
                                struct mq_error *error)
{
    struct mq_error said;
    int program = -1, core = -1;
    char *words;

    if (hand_over(gdb, subject->program, "program", error, &program) != mq_ok
        || hand_over(gdb, subject->place, "core file", error, &core) != mq_ok
        || name_image(gdb, subject->program, error) != mq_ok
        || load(gdb, program, options, error) != mq_ok)
        return mq_failed;
    mq_gdb_link_pass(gdb->link, core);
    if (mq_gdb_link_ask(gdb->link, gdb->inferior, &said, &words, "core file")
        == mq_ok)
        return mq_ok;
    return mq_fail(error, "cannot use the core file '%s': %s", subject->place,
                   said.text);
}

static enum mq_result open_remote(struct gdb_target *gdb,
                                  const struct mq_gdb_options *options,
                                  const struct mq_gdb_subject *subject,
                                  struct mq_error *error)
{
    char relay[mq_relay_room], *words;
    int program = -1;
    struct mq_gdb_event event;
    struct mq_error said;
    enum mq_result result;

    if (hand_over(gdb, subject->program, "program", error, &program) != mq_ok
        || name_image(gdb, subject->program, error) != mq_ok
        || load(gdb, program, options, error) != mq_ok)
        return mq_failed;
    result = mq_relay_start(subject->place, options->setup.interrupted, &said,
                            relay);
    if (result == mq_ok)
        result = ask_text(gdb, &said, &words, "remote", relay);
    if (result != mq_ok)
        return mq_fail(error, "cannot debug what is behind %s: %s",
                       subject->place, said.text);
    if (options->until == NULL)
        return mq_ok;
    result = mq_gdb_run(&gdb->target, options->until, -1, error, &event);
    if (result == mq_ok && event.kind == mq_gdb_exited)
        return mq_fail(error, "the process behind %s ended before it entered "
                       "'%s'", subject->place, options->until);
    return result;
}

/* Has gdb make room for one more process. */
static enum mq_result add(struct gdb_target *gdb, struct mq_error *error)
{
    char *words;
    uint64_t number;

    if (mq_gdb_link_ask(gdb->link, 0, error, &words, "add") != mq_ok)
        return mq_failed;
    if (!take_number(&words, "", 1 << 30, &number))
        return not_understood(error, "a new process");
    gdb->inferior = (int)number;
    return mq_ok;
}

static enum mq_result open_subject(struct gdb_target *gdb,
                                   const struct mq_gdb_options *options,
                                   const struct mq_gdb_subject *subject,
                                   struct mq_error *error)
{
    static enum mq_result (*const openers[])(struct gdb_target *,
                                             const struct mq_gdb_options *,
                                             const struct mq_gdb_subject *,
                                             struct mq_error *) = {
        open_process, open_core, open_remote
    };
    enum mq_result result = add(gdb, error);

    if (result == mq_ok)
        result = openers[subject->kind](gdb, options, subject, error);
    return result == mq_ok ? mq_ok : mq_failed;
}

static enum mq_result gdb_stop(struct mq_target *target,
                               struct mq_error *error)
{
    struct gdb_target *gdb = gdb_of(target);

    if (gdb->is_stopped)
        return mq_ok;
    if (gdb->process.pid != 0 && attach(gdb, error) != mq_ok)
        return mq_failed;
    gdb->is_stopped = true;
    return describe(gdb, error) == mq_ok ? mq_ok : mq_failed;
}

enum mq_result mq_gdb_prepare(struct mq_gdb_link *link,
                              const struct mq_gdb_options *options,
                              const struct mq_gdb_subject *subject,
                              struct mq_error *error,
                              struct mq_target **target)
{
    struct gdb_target *gdb;
    char name[64];

    snprintf(name, sizeof name, "process %d", subject->pid);
    if (target_new(subject->kind == mq_gdb_process ? name : subject->place,
                   subject->rank, error, &gdb) != mq_ok)
        return mq_failed;
    gdb->link = link;
    gdb->target.may_name_dll = subject->kind == mq_gdb_process;
    gdb->target.pid = subject->kind == mq_gdb_process ? subject->pid : 0;
    if (open_subject(gdb, options, subject, error) != mq_ok) {
        gdb_destroy(&gdb->target);
        return mq_failed;
    }
    *target = &gdb->target;
    return mq_ok;
}

enum mq_result mq_gdb_open(const struct mq_gdb_options *options,
                           const struct mq_gdb_subject *subject,
                           struct mq_error *error, struct mq_target **target)
{
    struct mq_gdb_link *link;
    struct mq_target *made;

    if (mq_gdb_link_start(&options->setup, error, &link) != mq_ok)
        return mq_failed;
    if (mq_gdb_prepare(link, options, subject, error, &made) != mq_ok) {
        mq_gdb_link_close(link);
        return mq_failed;
    }
    gdb_of(made)->owns_link = true;
    if (gdb_stop(made, error) != mq_ok) {
        mq_target_destroy(made);
        return mq_failed;
    }
    *target = made;
    return mq_ok;
}

enum mq_result mq_gdb_select(struct mq_gdb_link *link, int number,
                             struct mq_error *error, struct mq_target **target)
{
    struct gdb_target *gdb;
    char name[64], *words;
    enum mq_result result;

    snprintf(name, sizeof name, "inferior %d", number);
    if (target_new(name, -1, error, &gdb) != mq_ok)
        return mq_failed;
    gdb->link = link;
    gdb->inferior = number;
    result = mq_gdb_link_ask(link, number, error, &words, "kind");
    if (result == mq_ok) {
        gdb->target.may_name_dll = strcmp(words, "process") == 0;
        result = describe(gdb, error);
    }
    if (result != mq_ok) {
        gdb_destroy(&gdb->target);
        return mq_failed;
    }
    *target = &gdb->target;
    return mq_ok;
}

enum mq_result mq_gdb_inferiors(struct mq_gdb_link *link,
                                struct mq_error *error, int **numbers,
                                size_t *count, size_t *current)
{
    char *words, *word;
    uint64_t number, pid;
    size_t found = 0, here = 0;
    int *list;

    if (mq_gdb_link_ask(link, 0, error, &words, "inferiors") != mq_ok)
        return mq_failed;
    list = malloc((strlen(words) / 2 + 1) * sizeof *list);
    if (list == NULL)
        return mq_fail_memory(error, "for gdb's processes");
    while (*words != '\0') {
        word = mq_word_next(&words);
        if (!take_number(&word, ":", 1 << 30, &number)
            || !take_number(&word, "*", UINT32_MAX, &pid)) {
            free(list);
            return not_understood(error, "its processes");
        }
        if (word[-1] == '*')
            here = found;
        list[found++] = (int)number;
    }
    *numbers = list;
    *count = found;
    *current = here;
    return mq_ok;
}

/* ==== The script ======================================================== */

enum mq_result mq_gdb_find_script(const char *folder, struct mq_error *error,
                                  char **result)
{
    static const char *const places[] = {
        "mqdump.py", "../share/mqdump/mqdump.py"
    };
    char path[4096];

    if (folder == NULL)
        folder = ".";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, places[i]);
        if (access(path, R_OK) == 0) {
            *result = strdup(path);
            return *result != NULL ? mq_ok
                                   : mq_fail_memory(error, "for a path");
        }
    }
    return mq_fail(error, "mqdump.py, the part of mqdump that runs in gdb, is "
                   "neither in %s nor in %s/../share/mqdump", folder, folder);
}
