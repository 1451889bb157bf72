/* mock_host.c - mock debugger that checks callback arguments */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/mock_host.h"

#include <stdint.h>
#include <string.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/damaged_memory.h"
#include "mqcheck/host/heap.h"
#include "mqcheck/host/guarded_heap.h"

enum { TABLES = 4, LONGEST_NAME = 200 };

/* What is done, and which of that fails. */
struct doing {
    unsigned long count, first_bad, last_bad;
};

static struct {
    mqs_image *images[TABLES];
    mqs_process *processes[TABLES];
    struct doing reads, lookups;
    unsigned long failures;
    long heap;
} host;

/* The tables that were given last.  These survive mock_reset. */
static int latest_image, latest_process;

/* ---- Accounts ------------------------------------------------------------ */

long mock_heap_growth(void)
{
    long growth = host.heap;

    host.heap = 0;
    return growth;
}

void mock_fail_reads(unsigned long first, unsigned long last)
{
    host.reads = (struct doing){ 0, first, last };
    host.failures = 0;
}

void mock_fail_lookups(unsigned long first, unsigned long last)
{
    host.lookups = (struct doing){ 0, first, last };
    host.failures = 0;
}

unsigned long mock_reads(void)
{
    return host.reads.count;
}

unsigned long mock_lookups(void)
{
    return host.lookups.count;
}

unsigned long mock_failures(void)
{
    return host.failures;
}

/* Counts one more of them: whether it is to fail. */
static int is_bad(struct doing *it)
{
    it->count++;
    if (it->count < it->first_bad || it->count > it->last_bad)
        return 0;
    host.failures++;
    return 1;
}

/* ---- Which objects there are --------------------------------------------- */

/* The table of IMAGE if it is one of ours that is in use, else -1. */
static int image_table(const mqs_image *image)
{
    int table = TABLES - 1;

    while (table >= 0 && (image == NULL || image != host.images[table]))
        table--;
    return table;
}

static int process_table(const mqs_process *process)
{
    int table = TABLES - 1;

    while (table >= 0
           && (process == NULL || process != host.processes[table]))
        table--;
    return table;
}

static int is_image(const char *callback, const mqs_image *image)
{
    return keeps(rule_arguments, image_table(image) >= 0,
                 "%s got an image that %s", callback,
                 image == NULL ? "is null" : "is not open");
}

static int is_process(const char *callback, const mqs_process *process)
{
    return keeps(rule_arguments, process_table(process) >= 0,
                 "%s got a process that %s", callback,
                 process == NULL ? "is null" : "is not open");
}

/* Whether the table is in use at all, and is the one of the object whose table
 * OWN is, or -1.
 */
static int is_own_table(const char *callback, int is_in_use, int table,
                        int own)
{
    if (!keeps(rule_stale_table, is_in_use, "%s was called in a table after "
               "its image or process was destroyed", callback))
        return 0;
    keeps(rule_own_table, own < 0 || table == own, "%s was called in the table "
          "of another image or process", callback);
    return 1;
}

static int may_ask_image(const char *callback, int table,
                         const mqs_image *image)
{
    return is_own_table(callback, host.images[table] != NULL, table,
                        image_table(image))
           && is_image(callback, image);
}

static int may_ask_process(const char *callback, int table,
                           const mqs_process *process)
{
    return is_own_table(callback, host.processes[table] != NULL, table,
                        process_table(process))
           && is_process(callback, process);
}

static int is_name(const char *callback, const char *name)
{
    return keeps(rule_arguments, name != NULL && name[0] != '\0'
                 && strnlen(name, LONGEST_NAME) < LONGEST_NAME,
                 "%s got a name that is null, empty or endless", callback);
}

/* ---- Basic --------------------------------------------------------------- */

static void print(const char *text)
{
    keeps(rule_arguments, text != NULL, "mqs_dprints_fp got a null pointer");
}

static char *sentence(int code)
{
    return (char *)(code == HOST_CANNOT_READ ? "mqcheck made this read fail"
                                             : "unknown error");
}

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    if (is_image("mqs_put_image_info_fp", image))
        image->info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    return is_image("mqs_get_image_info_fp", image) ? image->info : NULL;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    if (is_process("mqs_put_process_info_fp", process))
        process->info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    return is_process("mqs_get_process_info_fp", process) ? process->info
                                                          : NULL;
}

static void *allocate(size_t size)
{
    long before = heap_in_use();
    void *block = store_allocate(size);

    host.heap += heap_in_use() - before;
    return block;
}

const mqs_basic_callbacks mock_basic_callbacks = {
    allocate, store_free, print, sentence, put_image_info, get_image_info,
    put_process_info, get_process_info
};

/* ---- Images -------------------------------------------------------------- */

static void get_type_sizes(int table, mqs_process *process,
                           mqs_target_type_sizes *sizes)
{
    static const char callback[] = "mqs_get_type_sizes_fp";
    const mqs_image *owner = host.images[table];
    const struct mq_type_sizes *known;

    if (!is_own_table(callback, owner != NULL, table, table)
        || !is_process(callback, process)
        || !keeps(rule_arguments, sizes != NULL, "%s got no place for the "
                  "sizes", callback))
        return;
    keeps(rule_own_table, process->image == owner, "%s was called in the "
          "table of another image", callback);
    known = &process->target->sizes;
    sizes->short_size = known->short_size;
    sizes->int_size = known->int_size;
    sizes->long_size = known->long_size;
    sizes->long_long_size = known->long_long_size;
    sizes->pointer_size = known->pointer_size;
}

static int give_address(int result, uint64_t found, mqs_taddr_t *address)
{
    if (result != mq_ok || is_bad(&host.lookups) || found > (mqs_taddr_t)-1)
        return mqs_no_information;
    if (address != NULL)
        *address = (mqs_taddr_t)found;
    return mqs_ok;
}

static int is_language(const char *callback, mqs_lang_code language)
{
    return keeps(rule_arguments, language == mqs_lang_c
                 || language == mqs_lang_cplus || language == mqs_lang_f77
                 || language == mqs_lang_f90,
                 "%s got the language %d, which there is not", callback,
                 (int)language);
}

static int find_function(int table, mqs_image *image, char *name,
                         mqs_lang_code language, mqs_taddr_t *address)
{
    static const char callback[] = "mqs_find_function_fp";
    uint64_t found = 0;
    int result;

    if (!may_ask_image(callback, table, image) || !is_name(callback, name)
        || !is_language(callback, language))
        return mqs_no_information;
    result = mq_target_find_function(image->target, name, NULL, &found);
    return give_address(result, found, address);
}

static int find_symbol(int table, mqs_image *image, char *name,
                       mqs_taddr_t *address)
{
    static const char callback[] = "mqs_find_symbol_fp";
    uint64_t found = 0;
    int result;

    if (!may_ask_image(callback, table, image) || !is_name(callback, name))
        return mqs_no_information;
    result = mq_target_find_symbol(image->target, name, NULL, &found);
    return give_address(result, found, address);
}

/* Each type of the target has one mqs_type, however often it is asked for. */
static mqs_type *type_for(mqs_image *image, const struct mq_target_type *found)
{
    const int room = (int)(sizeof image->types / sizeof image->types[0]);
    int i = 0;

    while (i < image->type_count && image->types[i].type != found)
        i++;
    if (i == room)
        give_up("the DLL asks for more than %d types", room);
    if (i == image->type_count) {
        image->types[i].image = image;
        image->types[i].type = found;
        image->type_count++;
    }
    return &image->types[i];
}

static mqs_type *find_type(int table, mqs_image *image, char *name,
                           mqs_lang_code language)
{
    static const char callback[] = "mqs_find_type_fp";
    const struct mq_target_type *found = NULL;

    if (!may_ask_image(callback, table, image) || !is_name(callback, name)
        || !is_language(callback, language)
        || mq_target_find_type(image->target, name, NULL, &found)
           != mq_ok
        || is_bad(&host.lookups))
        return NULL;
    return type_for(image, found);
}

/* The image that the type belongs to, or null. */
static mqs_image *image_of(const char *callback, const mqs_type *type)
{
    for (int i = 0; i < TABLES; i++) {
        mqs_image *image = host.images[i];

        if (image != NULL && type >= image->types
            && type < image->types + image->type_count)
            return keeps(rule_arguments, 1, "%s", "") ? image : NULL;
    }
    broken(rule_arguments, "%s got a type that %s", callback,
           type == NULL ? "is null" : "mqs_find_type_fp did not give");
    return NULL;
}

static int field_offset(int table, mqs_type *type, char *name)
{
    static const char callback[] = "mqs_field_offset_fp";
    mqs_image *image = image_of(callback, type);
    uint64_t offset = 0;

    if (image == NULL || !may_ask_image(callback, table, image)
        || !is_name(callback, name)
        || mq_target_find_member(image->target, type->type, name, NULL, &offset)
           != mq_ok
        || is_bad(&host.lookups) || offset > INT32_MAX)
        return -1;
    return (int)offset;
}

static int size_of(int table, mqs_type *type)
{
    static const char callback[] = "mqs_sizeof_fp";
    mqs_image *image = image_of(callback, type);
    uint64_t size = 0;

    if (image == NULL || !may_ask_image(callback, table, image)
        || mq_target_type_size(image->target, type->type, NULL, &size) != mq_ok
        || is_bad(&host.lookups) || size > INT32_MAX)
        return -1;
    return (int)size;
}

/* ---- Processes ----------------------------------------------------------- */

static int fetch_data(int table, mqs_process *process, mqs_taddr_t address,
                      int length, void *data)
{
    static const char callback[] = "mqs_fetch_data_fp";

    if (!may_ask_process(callback, table, process)
        || !keeps(rule_arguments, length > 0, "%s got the length %d", callback,
                  length)
        || !keeps(rule_arguments, data != NULL, "%s got no place for the data",
                  callback)
        || !keeps(rule_overrun, store_has_room(data, (size_t)length),
                  "%s was asked for %d bytes, more than fit into the block",
                  callback, length)
        || is_bad(&host.reads))
        /* As the documents say, and where one read fails alone, an error of the
         * debugger's, as there are debuggers that do.
         */
        return host.reads.first_bad == host.reads.last_bad
               ? HOST_CANNOT_READ : mqs_no_information;
    return memory_read(process->target, address, (size_t)length, data)
           == mq_ok ? mqs_ok : mqs_no_information;
}

static void target_to_host(int table, mqs_process *process, const void *in,
                           void *out, int length)
{
    static const char callback[] = "mqs_target_to_host_fp";
    const unsigned char *from = in;
    unsigned char *to = out;
    const short one = 1;
    int is_same_order;

    if (!may_ask_process(callback, table, process)
        || !keeps(rule_arguments, in != NULL && out != NULL,
                  "%s got a null pointer", callback)
        || !keeps(rule_arguments, length == 1 || length == 2 || length == 4
                  || length == 8 || length == 16, "%s got the length %d, which "
                  "is not a scalar's", callback, length)
        || !keeps(rule_arguments, from + length <= to || to + length <= from,
                  "%s got places that overlap", callback)
        || !keeps(rule_overrun, store_has_room(out, (size_t)length),
                  "%s was asked for %d bytes, more than fit into the block",
                  callback, length))
        return;
    is_same_order = (process->target->byte_order == mq_little_endian)
                    == (*(const char *)&one == 1);
    for (int i = 0; i < length; i++)
        to[i] = from[is_same_order ? i : length - 1 - i];
}

/* ---- Tables -------------------------------------------------------------- */

/* A table's functions do not learn which table they were called in, so each
 * table has functions of its own.
 */
#define TABLE(k)                                                              \
    static void get_type_sizes_##k(mqs_process *p, mqs_target_type_sizes *s)  \
    {                                                                         \
        get_type_sizes(k, p, s);                                              \
    }                                                                         \
    static int find_function_##k(mqs_image *i, char *n, mqs_lang_code l,      \
                                 mqs_taddr_t *a)                              \
    {                                                                         \
        return find_function(k, i, n, l, a);                                  \
    }                                                                         \
    static int find_symbol_##k(mqs_image *i, char *n, mqs_taddr_t *a)         \
    {                                                                         \
        return find_symbol(k, i, n, a);                                       \
    }                                                                         \
    static mqs_type *find_type_##k(mqs_image *i, char *n, mqs_lang_code l)    \
    {                                                                         \
        return find_type(k, i, n, l);                                         \
    }                                                                         \
    static int field_offset_##k(mqs_type *t, char *n)                         \
    {                                                                         \
        return field_offset(k, t, n);                                         \
    }                                                                         \
    static int size_of_##k(mqs_type *t)                                       \
    {                                                                         \
        return size_of(k, t);                                                 \
    }                                                                         \
    static int get_global_rank_##k(mqs_process *p)                            \
    {                                                                         \
        return may_ask_process("mqs_get_global_rank_fp", k, p)                \
               ? p->target->rank : -1;                                        \
    }                                                                         \
    static mqs_image *get_image_##k(mqs_process *p)                           \
    {                                                                         \
        return may_ask_process("mqs_get_image_fp", k, p) ? p->image : NULL;   \
    }                                                                         \
    static int fetch_data_##k(mqs_process *p, mqs_taddr_t a, int l, void *d)  \
    {                                                                         \
        return fetch_data(k, p, a, l, d);                                     \
    }                                                                         \
    static void target_to_host_##k(mqs_process *p, const void *i, void *o,    \
                                   int l)                                     \
    {                                                                         \
        target_to_host(k, p, i, o, l);                                        \
    }

TABLE(0)
TABLE(1)
TABLE(2)
TABLE(3)

#define IMAGE_TABLE(k)                                                     \
    { get_type_sizes_##k, find_function_##k, find_symbol_##k, find_type_##k, \
      field_offset_##k, size_of_##k }
#define PROCESS_TABLE(k) \
    { get_global_rank_##k, get_image_##k, fetch_data_##k, target_to_host_##k }

static const mqs_image_callbacks image_tables[TABLES] = {
    IMAGE_TABLE(0), IMAGE_TABLE(1), IMAGE_TABLE(2), IMAGE_TABLE(3)
};

static const mqs_process_callbacks process_tables[TABLES] = {
    PROCESS_TABLE(0), PROCESS_TABLE(1), PROCESS_TABLE(2), PROCESS_TABLE(3)
};

/* The next table that nobody uses, so that one that was given back stays so for
 * a while.
 */
static int free_table(int *latest, int (*is_used)(int table))
{
    for (int i = 0; i < TABLES; i++) {
        *latest = (*latest + 1) % TABLES;
        if (!is_used(*latest))
            return *latest;
    }
    give_up("too many images or processes at a time");
    return 0;
}

static int is_image_table_used(int table)
{
    return host.images[table] != NULL;
}

static int is_process_table_used(int table)
{
    return host.processes[table] != NULL;
}

const mqs_image_callbacks *mock_adopt_image(mqs_image *image,
                                            struct mq_target *target)
{
    memset(image, 0, sizeof *image);
    image->target = target;
    image->table = free_table(&latest_image, is_image_table_used);
    host.images[image->table] = image;
    return &image_tables[image->table];
}

const mqs_process_callbacks *mock_adopt_process(mqs_process *process,
                                                mqs_image *image,
                                                struct mq_target *target)
{
    memset(process, 0, sizeof *process);
    process->image = image;
    process->target = target;
    process->table = free_table(&latest_process, is_process_table_used);
    host.processes[process->table] = process;
    return &process_tables[process->table];
}

void mock_forget_image(mqs_image *image)
{
    if (host.images[image->table] == image)
        host.images[image->table] = NULL;
}

void mock_forget_process(mqs_process *process)
{
    if (host.processes[process->table] == process)
        host.processes[process->table] = NULL;
}

void mock_reset(void)
{
    memset(&host, 0, sizeof host);
}
