/* record.c - mapped record file
 *
 * Once the rank is known the file is made, with all of its room, so that a full
 * disk is found then; what was noted so far is copied to it; and it is mapped
 * where that was: no address changes, and nothing that notes knows.  A process
 * whose file cannot be made goes on without one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { longest_path = 4096, most_of_one_name = 100, most_modules = 4096 };

/* The pages of shown.c, and the record's copy of them. */
static void *shown_copy;

const char *mqw_record_folder(void)
{
    const char *folder = secure_getenv("MQWATCH_RECORD");

    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

static size_t shown_size(void)
{
    return (uintptr_t)__stop_mqw_shown - (uintptr_t)__start_mqw_shown;
}

/* ---- Tables -------------------------------------------------------------- */

static uint64_t place_of(const void *memory)
{
    return (uint64_t)((const unsigned char *)memory
                      - (const unsigned char *)mqw_record);
}

static bool is_inside(const void *memory)
{
    return (uintptr_t)memory - (uintptr_t)mqw_record < mqw_record->used;
}

/* COUNT elements of SIZE bytes; null if the record has no room. */
static void *make_table(struct mqwatch_table *table, size_t count, size_t size)
{
    void *made = mqw_alloc(count * size);

    if (made == NULL || !is_inside(made)) {
        mqw_free(made);
        return NULL;
    }
    table->size = (uint32_t)size;
    table->at = place_of(made);
    PUBLISH(table->count, (uint32_t)count);
    return made;
}

static uint64_t add_text(const char *text)
{
    char *copy = mqw_alloc_text(text);

    if (copy != NULL && is_inside(copy))
        return place_of(copy);
    mqw_free(copy);
    return 0;
}

#define SYMBOLS(X)                                                             \
    X(mqwatch, 0) X(MPID_recvs, 0) X(MPIR_Sendq, 0)                            \
    X(MPIR_All_communicators, 0) X(MPID_MyWorldRank, 0)                        \
    X(MPID_MyWorldSize, 0) X(MPIR_being_debugged, 0) X(MPIR_Breakpoint, 1)

static bool add_symbols(void)
{
    static const struct {
        const char *name;
        uintptr_t place;
        uint32_t is_function;
    } rows[] = {
#define ROW(name, is_function) { #name, (uintptr_t)&(name), is_function },
        SYMBOLS(ROW)
    };
    const size_t count = sizeof rows / sizeof rows[0];
    struct mqwatch_symbol *symbols = make_table(&mqw_record->symbols, count,
                                                sizeof *symbols);

    for (size_t i = 0; symbols != NULL && i < count; i++) {
        symbols[i].name = add_text(rows[i].name);
        symbols[i].address = rows[i].place;
        symbols[i].is_function = rows[i].is_function;
    }
    return symbols != NULL;
}

/* What message-queue DLLs may ask for; MPI_Status is MQW_Status to them. */
#define LAYOUTS(TYPE, MEMBER)                                                  \
    TYPE(MQW_Status) MEMBER(MQW_Status, count)                                 \
    MEMBER(MQW_Status, MPI_SOURCE) MEMBER(MQW_Status, MPI_TAG)                 \
    TYPE(MPIR_RHANDLE) MEMBER(MPIR_RHANDLE, len) MEMBER(MPIR_RHANDLE, s)       \
    MEMBER(MPIR_RHANDLE, handle_type) MEMBER(MPIR_RHANDLE, is_complete)        \
    MEMBER(MPIR_RHANDLE, buf)                                                  \
    TYPE(MPIR_SHANDLE) MEMBER(MPIR_SHANDLE, handle_type)                       \
    MEMBER(MPIR_SHANDLE, is_complete)                                          \
    TYPE(MPID_QEL) MEMBER(MPID_QEL, next) MEMBER(MPID_QEL, ptr)                \
    MEMBER(MPID_QEL, srcmask) MEMBER(MPID_QEL, tagmask)                        \
    MEMBER(MPID_QEL, context_id) MEMBER(MPID_QEL, lsrc) MEMBER(MPID_QEL, tag)  \
    MEMBER(MPID_QEL, begun_by)                                                 \
    TYPE(MPIR_SQEL) MEMBER(MPIR_SQEL, db_next) MEMBER(MPIR_SQEL, db_shandle)   \
    MEMBER(MPIR_SQEL, db_comm) MEMBER(MPIR_SQEL, db_byte_length)               \
    MEMBER(MPIR_SQEL, db_target) MEMBER(MPIR_SQEL, db_tag)                     \
    MEMBER(MPIR_SQEL, db_data) MEMBER(MPIR_SQEL, begun_by)                     \
    TYPE(MPID_QUEUE) MEMBER(MPID_QUEUE, first)                                 \
    TYPE(MPID_QHDR) MEMBER(MPID_QHDR, posted)                                  \
    TYPE(MPIR_SQUEUE) MEMBER(MPIR_SQUEUE, sq_head)                             \
    TYPE(MPIR_Comm_list) MEMBER(MPIR_Comm_list, sequence_number)               \
    MEMBER(MPIR_Comm_list, comm_first)                                         \
    TYPE(MPIR_Communicator) MEMBER(MPIR_Communicator, comm_next)               \
    MEMBER(MPIR_Communicator, np) MEMBER(MPIR_Communicator, local_rank)        \
    MEMBER(MPIR_Communicator, lrank_to_grank)                                  \
    MEMBER(MPIR_Communicator, grank_first)                                     \
    MEMBER(MPIR_Communicator, grank_stride)                                    \
    MEMBER(MPIR_Communicator, send_context)                                    \
    MEMBER(MPIR_Communicator, recv_context)                                    \
    MEMBER(MPIR_Communicator, comm_type) MEMBER(MPIR_Communicator, comm_name)

static bool add_layouts(void)
{
    static const struct {
        const char *name;
        uint32_t offset, size;
    } rows[] = {
#define TYPE(type) { #type, MQWATCH_TYPE, sizeof(type) },
#define MEMBER(type, member)                                                   \
        { #member, offsetof(type, member), sizeof(((type *)0)->member) },
        LAYOUTS(TYPE, MEMBER)
    };
    const size_t count = sizeof rows / sizeof rows[0];
    struct mqwatch_layout *layouts = make_table(&mqw_record->layouts, count,
                                                sizeof *layouts);

    for (size_t i = 0; layouts != NULL && i < count; i++) {
        layouts[i].name = add_text(rows[i].name);
        layouts[i].offset = rows[i].offset;
        layouts[i].size = rows[i].size;
    }
    return layouts != NULL;
}

/* The range itself, the pages of shown.c, and a copy of the SIZE bytes of NAMES
 * that records lead to.
 */
static bool add_segments(const void *names, size_t size)
{
    struct mqwatch_segment *segments = make_table(&mqw_record->segments, 3,
                                                  sizeof *segments);
    void *copy = mqw_alloc(size);

    if (segments == NULL || copy == NULL || !is_inside(copy)) {
        mqw_free(copy);
        return false;
    }
    memcpy(copy, names, size);
    segments[0].address = (uintptr_t)mqw_record;
    segments[0].size = mqw_record->file_size;
    segments[1].address = (uintptr_t)__start_mqw_shown;
    segments[1].at = place_of(shown_copy);
    segments[1].size = shown_size();
    segments[2].address = (uintptr_t)names;
    segments[2].at = place_of(copy);
    segments[2].size = size;
    return true;
}

/* ---- Modules ------------------------------------------------------------- */

struct modules {
    struct mqwatch_module *items;       /* null: they are only counted */
    size_t count, room;
    unsigned long long changes;         /* of the process's list so far */
};

static void take_build_id(const struct dl_phdr_info *object,
                          const ElfW(Phdr) *part, struct mqwatch_module *module)
{
    const char *at = mqw_at(object->dlpi_addr + part->p_vaddr);
    const char *end = at + part->p_memsz;

    while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        size_t name = ((size_t)note->n_namesz + 3) / 4 * 4;
        size_t length = ((size_t)note->n_descsz + 3) / 4 * 4;

        at += sizeof *note;
        if (name > (size_t)(end - at) || length > (size_t)(end - at) - name)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4
            && memcmp(at, "GNU", 4) == 0
            && note->n_descsz <= sizeof module->build_id) {
            module->build_id_size = note->n_descsz;
            memcpy(module->build_id, at + name, note->n_descsz);
        }
        at += name + length;
    }
}

/* The dynamic linker has no name for the program. */
static uint64_t path_of(const struct dl_phdr_info *object, bool is_program)
{
    char path[longest_path];
    ssize_t length;

    if (!is_program)
        return add_text(object->dlpi_name);
    length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = '\0';
    return add_text(path);
}

static int add_module(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct modules *modules = argument;
    struct mqwatch_module *module;

    (void)size;
    modules->changes = object->dlpi_adds + object->dlpi_subs;
    modules->count++;
    if (modules->items == NULL || modules->count > modules->room)
        return 0;
    module = &modules->items[modules->count - 1];
    module->path = path_of(object, modules->count == 1);
    module->bias = object->dlpi_addr;
    module->first = UINT64_MAX;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uint64_t first = object->dlpi_addr + part->p_vaddr;

        if (part->p_type == PT_NOTE)
            take_build_id(object, part, module);
        if (part->p_type != PT_LOAD)
            continue;
        if (first < module->first)
            module->first = first;
        if (first + part->p_memsz > module->end)
            module->end = first + part->p_memsz;
    }
    return 0;
}

/* A table of those that there are now takes the place of the one before. */
static void add_modules(unsigned long long *changes)
{
    struct mqwatch_table *table = &mqw_record->modules, made;
    struct mqwatch_module *old = table->count == 0 ? NULL
        : (void *)((unsigned char *)mqw_record + table->at);
    struct modules modules = { 0 };
    const uint32_t old_count = table->count;

    dl_iterate_phdr(add_module, &modules);
    modules.room = modules.count < most_modules ? modules.count : most_modules;
    modules.items = make_table(&made, modules.room, sizeof *modules.items);
    modules.count = 0;
    if (modules.items == NULL)
        return;
    dl_iterate_phdr(add_module, &modules);
    PUBLISH(table->count, 0);
    table->size = made.size;
    PUBLISH(table->at, made.at);
    PUBLISH(table->count, made.count);
    *changes = modules.changes;
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].path != 0)
            mqw_free((unsigned char *)mqw_record + old[i].path);
    mqw_free(old);
}

static int count_changes(struct dl_phdr_info *object, size_t size,
                         void *argument)
{
    (void)size;
    *(unsigned long long *)argument = object->dlpi_adds + object->dlpi_subs;
    return 1;
}

static pthread_mutex_t modules_mutex = PTHREAD_MUTEX_INITIALIZER;

void mqw_record_modules(void)
{
    static unsigned long long known;
    unsigned long long changes = 0;

    if (!mqw.records)
        return;
    pthread_mutex_lock(&modules_mutex);
    dl_iterate_phdr(count_changes, &changes);
    if (changes != known)
        add_modules(&known);
    pthread_mutex_unlock(&modules_mutex);
}

/* ---- The head ------------------------------------------------------------ */

/* What starters call their job, in the environment of its ranks, or mqdump the
 * command that it runs.
 */
static const char *name_of_job(void)
{
    static const char *const names[] = {
        "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "FLUX_JOB_ID", "PMI_JOBID",
        "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "MQDUMP_COMMAND"
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = getenv(names[i]);

        if (name != NULL && name[0] != '\0')
            return name;
    }
    return "";
}

static bool fill_in_head(const void *names, size_t size)
{
    struct mqwatch_record *head = mqw_record;
    const unsigned char sizes[] = { sizeof(short), sizeof(int), sizeof(long),
                                    sizeof(long long), sizeof(void *) };

    head->order = MQWATCH_RECORD_ORDER;
    head->size = sizeof *head;
    memcpy(head->sizes, sizes, sizeof sizes);
    head->rank = mqwatch.world_rank;
    head->world_size = mqwatch.world_size;
    head->process = mqwatch.process;
    head->began = mqw_time();
    gethostname(head->host, sizeof head->host - 1);
    snprintf(head->job, sizeof head->job, "%s", name_of_job());
    if (!add_symbols() || !add_layouts() || !add_segments(names, size))
        return false;
    memcpy(head->magic, MQWATCH_RECORD_MAGIC, sizeof head->magic);
    return true;
}

/* ---- The file ------------------------------------------------------------ */

/* Only one rank of a job speaks. */
static void complain(const char *what, int cause)
{
    if (mqwatch.world_rank <= 0)
        fprintf(stderr, "libmqwatch: there will be no record in %s: %s%s%s\n",
                mqw_record_folder(), what, cause != 0 ? ": " : "",
                cause != 0 ? strerror(cause) : "");
}

/* Makes the file PATH and, if there is none, its folder.  Several processes of
 * one host can be of one rank and have one number, in containers and one after
 * the other.
 */
static int create(char path[longest_path])
{
    const char *folder = mqw_record_folder();
    int file = -1;

    mkdir(folder, S_IRWXU);     /* if that fails, so does what follows */
    for (int i = 0; file < 0 && i < most_of_one_name; i++) {
        int length = snprintf(path, longest_path,
                              "%s/rank-%05d.%s.%d.%d.mqwatch", folder,
                              mqwatch.world_rank, mqw_record->host,
                              mqwatch.process, i);

        if (length >= longest_path)
            return errno = ENAMETOOLONG, -1;
        file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    S_IRUSR | S_IWUSR);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/* Gives FILE all of its room.  A process that may not have it is not to be
 * killed by a signal.
 */
static int make_room(int file)
{
    const uint64_t size = mqw_record->file_size;
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size)
        return EFBIG;
    return posix_fallocate(file, 0, (off_t)size);
}

/* FILE, which has USED bytes of it then, takes the place of SIZE bytes of
 * memory.  Where that cannot be it is tried elsewhere, for what was there would
 * be gone.  Not mremap: libraries that come before it lose an argument.
 */
static bool replace(void *memory, size_t size, size_t used, int file, off_t at)
{
    void *tried = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                       at);

    if (tried == MAP_FAILED)
        return false;
    memcpy(tried, memory, used);
    munmap(tried, size);
    return mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                file, at) != MAP_FAILED;
}

/* The opposite, with memory of this process alone, which has one thread. */
static void replace_by_copy(void *memory, size_t size, size_t used)
{
    void *copy = mmap(NULL, used, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (copy == MAP_FAILED)
        return;
    memcpy(copy, memory, used);
    if (mmap(memory, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
        != MAP_FAILED)
        memcpy(memory, copy, used);
    munmap(copy, used);
}

/* A child of fork has what was noted, and leaves the file alone. */
static void be_child(void)
{
    replace_by_copy(mqw_record, mqw_record->file_size, mqw_record->used);
    replace_by_copy(__start_mqw_shown, shown_size(), shown_size());
    mqw.records = false;
    mqw_arena_unlock();
}

/* Readers of the file see by this whether the process lives. */
static void lock(int file)
{
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    fcntl(file, F_SETLK, &all);
}

static bool map(int file)
{
    bool is_mapped;

    if (pthread_atfork(mqw_arena_lock, mqw_arena_unlock, be_child) != 0)
        return false;
    mqw_arena_lock();
    is_mapped = replace(mqw_record, mqw_record->file_size, mqw_record->used,
                        file, 0)
                && replace(__start_mqw_shown, shown_size(), shown_size(), file,
                           (off_t)place_of(shown_copy));
    mqw_arena_unlock();
    return is_mapped;
}

/* Whether the pages of shown.c are whole ones, and nothing else is there. */
static bool has_shown_pages(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return page <= MQW_PAGE && (uintptr_t)__start_mqw_shown % page == 0
           && shown_size() % page == 0;
}

void mqw_record_begin(const void *names, size_t size)
{
    char path[longest_path];
    int file, cause;

    if (mqw_record == NULL || shown_copy != NULL)
        return;
    shown_copy = mqw_alloc_pages(shown_size());
    if (!has_shown_pages() || shown_copy == NULL
        || !fill_in_head(names, size)) {
        complain("it has no room", 0);
        return;
    }
    file = create(path);
    if (file < 0) {
        complain("no file can be made", errno);
        return;
    }
    cause = make_room(file);
    if (cause != 0 || !map(file)) {
        complain("the file cannot have its room", cause != 0 ? cause : ENOMEM);
        unlink(path);
        close(file);
        return;
    }
    lock(file);
    mqw.records = true;
    mqw_record_modules();
    mqw_life_begin();
}
