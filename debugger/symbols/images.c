/* images.c - the program and libraries that a process has mapped */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _FILE_OFFSET_BITS 64
#include "symbols/images.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "mpi/libraries.h"
#include "process/mapped.h"
#include "process/proc_stat.h"

enum {
    most_files = 4096,
    alike = 1024,               /* bytes, which hold the build id */
    largest_gap = 1 << 17,      /* between parts, for pages of 64 kB */
    most_between_parts = 32,    /* mappings */
    largest_kernels = 1 << 20,  /* its library */
    most_entries = 256,         /* of the vectors that are read */
    link_words = 4,             /* that are looked at, of an entry's */
    links_at_once = 64
};

/* ---- Mappings ---------------------------------------------------------- */

/* LINE of maps is what MAPPING is from; empty if it is of no such line. */
static enum mq_result add_file(struct mq_objects *loaded,
                               const struct mq_mapping *mapping,
                               const char *line, struct mq_error *error)
{
    struct mq_object file = {
        .begin = mapping->begin, .end = mapping->end,
        .first_end = mapping->end, .base = mapping->begin,
        .is_kernels = strcmp(mapping->path, "[vdso]") == 0
    };

    if (loaded->count == most_files
        || mq_array_reserve(&loaded->files, sizeof file, loaded->count + 1,
                            &loaded->room, "for libraries", error) != mq_ok)
        return mq_fail(error, "more than %d files are mapped", most_files);
    file.line = strdup(line);
    file.path = strdup(mapping->path);
    file.name = strdup(file.is_kernels ? "linux-vdso" : mapping->path);
    loaded->files[loaded->count++] = file;
    if (file.line == NULL || file.path == NULL || file.name == NULL)
        return mq_fail_memory(error, "for a library");
    return mq_ok;
}

/* The file that MAPPING goes on with, or null: anonymous memory behind a
 * file's mappings is its data.  Where pages may be larger than they are, as on
 * aarch64, there is room between the code and the data of the dynamic linker,
 * which the kernel's own library and other files are mapped to.
 */
static struct mq_object *continued_by(struct mq_objects *loaded,
                                      const struct mq_mapping *mapping,
                                      bool is_file)
{
    for (size_t i = 0; i < loaded->count && i < most_between_parts; i++) {
        struct mq_object *file = &loaded->files[loaded->count - 1 - i];
        const uint64_t most_between = i == 0 ? UINT64_MAX : largest_gap;

        if (!file->is_kernels
            && (is_file ? strcmp(file->path, mapping->path) == 0
                          && mapping->offset != 0
                          && mapping->begin - file->end <= most_between
                : mapping->path[0] == '\0' && mapping->begin == file->end))
            return file;
    }
    return NULL;
}

static enum mq_result add_mapping(struct mq_objects *loaded,
                                  const struct mq_mapping *mapping,
                                  const char *line, struct mq_error *error)
{
    bool is_file = mapping->path[0] == '/'
                   || strcmp(mapping->path, "[vdso]") == 0;
    struct mq_object *continued = continued_by(loaded, mapping, is_file);

    if (continued != NULL) {
        continued->end = mapping->end;
        return mq_ok;
    }
    return is_file && (mapping->offset == 0 || mapping->path[0] == '[')
           ? add_file(loaded, mapping, line, error) : mq_ok;
}

/* Mappings but those of libraries may have changed by now. */
bool mq_objects_is_fixed(const struct mq_objects *loaded, uint64_t address,
                         uint64_t length)
{
    const struct mq_object *file;
    size_t count = loaded->fixed == NULL ? 0
        : mq_array_upto(loaded->fixed, loaded->fixed_count,
                        sizeof *loaded->fixed, offsetof(struct mq_fixed, begin),
                        address);

    if (count == 0 || address >= loaded->fixed[count - 1].end
        || length > loaded->fixed[count - 1].end - address)
        return false;
    file = mq_objects_at(loaded, address);
    return file != NULL && file->is_listed;
}

static enum mq_result read_maps(struct mq_objects *loaded,
                                struct mq_error *error)
{
    enum mq_result result = mq_ok;
    struct mq_mapping mapping;
    char buffer[mq_maps_buffer], *line = NULL;
    size_t room = 0;
    FILE *file = mq_proc_open(loaded->origin.pid, "maps");

    if (file == NULL)
        return mq_fail(error, "cannot read /proc/%d/maps", loaded->origin.pid);
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    while (result == mq_ok && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!mq_mapping_take(line, &mapping))
            continue;
        result = add_mapping(loaded, &mapping, line, error);
        if (result == mq_ok && mapping.path[0] == '/'
            && strchr(mapping.access, 'w') == NULL
            && strchr(mapping.access, 'p') != NULL)
            result = mq_array_add(&loaded->fixed, sizeof *loaded->fixed,
                                  &loaded->fixed_count, &loaded->fixed_room,
                                  &(struct mq_fixed){ mapping.begin,
                                                      mapping.end },
                                  "for libraries", error);
    }
    free(line);
    fclose(file);
    return result;
}

/* The kernel's own mappings are in no list of files. */
static enum mq_result add_kernels(struct mq_objects *loaded,
                                  uint64_t address, struct mq_error *error)
{
    const struct mq_mapping mapping = {
        .begin = address, .end = mq_core_end(loaded->origin.core, address),
        .path = "[vdso]"
    };

    return mapping.begin < mapping.end
           ? add_file(loaded, &mapping, "", error) : mq_ok;
}

/* The files of a core file, and the kernel's library at KERNELS or, if that is
 * 0, none.
 */
static enum mq_result take_core(struct mq_objects *loaded, uint64_t kernels,
                                struct mq_error *error)
{
    const struct mq_core_mapping *files;
    enum mq_result result = mq_ok;
    size_t count;

    files = mq_core_mappings(loaded->origin.core, &count);
    for (size_t i = 0; i < count && result == mq_ok; i++) {
        if (kernels != 0 && kernels < files[i].begin) {
            result = add_kernels(loaded, kernels, error);
            kernels = 0;
        }
        if (result == mq_ok && strlen(files[i].path) < PATH_MAX)
            result = add_mapping(loaded, &(struct mq_mapping){
                .begin = files[i].begin, .end = files[i].end,
                .offset = files[i].offset, .path = files[i].path
            }, "", error);
    }
    return result == mq_ok && kernels != 0
           ? add_kernels(loaded, kernels, error) : result;
}

struct mq_object *mq_objects_at(const struct mq_objects *loaded,
                                    uint64_t address)
{
    size_t count;

    if (loaded->files == NULL)
        return NULL;
    count = mq_array_upto(loaded->files, loaded->count, sizeof *loaded->files,
                          offsetof(struct mq_object, begin), address);
    for (size_t i = 0; i < count && i < most_between_parts; i++)
        if (address < loaded->files[count - 1 - i].end)
            return &loaded->files[count - 1 - i];
    return NULL;
}

/* ---- The dynamic linker's list ----------------------------------------- */

/* A value of the process's auxiliary vector. */
struct auxiliary {
    uint64_t headers, header_count;
    uint64_t kernels;           /* where its own library is; 0: nowhere */
};

/* Reads at most SIZE bytes of the vector, and gives how many. */
static size_t read_vector(const struct mq_origin *origin, void *bytes,
                          size_t size)
{
    size_t length;
    FILE *file;

    if (origin->core != NULL) {
        const void *vector = mq_core_auxv(origin->core, &length);

        length = length < size ? length : size;
        if (length > 0)
            memcpy(bytes, vector, length);
        return length;
    }
    file = mq_proc_open(origin->pid, "auxv");
    if (file == NULL)
        return 0;
    length = fread(bytes, 1, size, file);
    fclose(file);
    return length;
}

static enum mq_result read_auxiliary(const struct mq_origin *origin, int word,
                                     struct auxiliary *auxiliary)
{
    unsigned char bytes[2 * 8 * most_entries];
    const size_t entry = 2 * (size_t)word;
    size_t length = read_vector(origin, bytes, sizeof bytes), at;

    memset(auxiliary, 0, sizeof *auxiliary);
    for (at = 0; at + entry <= length; at += entry) {
        uint64_t kind = mq_decode_unsigned(mq_little_endian, bytes + at, word);
        uint64_t value = mq_decode_unsigned(mq_little_endian,
                                            bytes + at + word, word);

        if (kind == AT_PHDR)
            auxiliary->headers = value;
        if (kind == AT_PHNUM)
            auxiliary->header_count = value;
        if (kind == AT_SYSINFO_EHDR)
            auxiliary->kernels = value;
    }
    return auxiliary->headers != 0 && auxiliary->header_count <= most_entries
           ? mq_ok : mq_absent;
}

/* Where the program's dynamic section is. */
static enum mq_result find_dynamic(struct mq_target *memory,
                                   const struct auxiliary *auxiliary,
                                   uint64_t *place)
{
    const int word = memory->sizes.pointer_size;
    const size_t size = word == 8 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    const size_t address_at = word == 8 ? 16 : 8;
    unsigned char headers[most_entries * sizeof(Elf64_Phdr)];
    uint64_t bias = 0, dynamic = 0;

    if (auxiliary->header_count == 0
        || memory->ops->read(memory, auxiliary->headers,
                             auxiliary->header_count * size, NULL,
                             headers) != mq_ok)
        return mq_absent;
    for (size_t at = 0; at < auxiliary->header_count * size; at += size) {
        uint64_t type = mq_decode_unsigned(mq_little_endian, headers + at, 4);
        uint64_t address = mq_decode_unsigned(mq_little_endian,
                                              headers + at + address_at, word);

        if (type == PT_PHDR)
            bias = auxiliary->headers - address;
        if (type == PT_DYNAMIC)
            dynamic = address;
    }
    *place = dynamic + bias;
    return dynamic != 0 ? mq_ok : mq_absent;
}

/* Where the dynamic linker says what it has loaded. */
static enum mq_result find_list(struct mq_target *memory, uint64_t dynamic,
                                uint64_t *list)
{
    const size_t word = (size_t)memory->sizes.pointer_size;
    unsigned char entry[2 * 8];

    for (size_t i = 0; i < most_entries; i++) {
        uint64_t tag, value;

        if (memory->ops->read(memory, dynamic + 2 * word * i, 2 * word, NULL,
                              entry) != mq_ok)
            return mq_absent;
        tag = mq_decode_unsigned(mq_little_endian, entry, (int)word);
        value = mq_decode_unsigned(mq_little_endian, entry + word, (int)word);
        if (tag == DT_NULL)
            return mq_absent;
        if (tag == DT_DEBUG) {
            *list = value;
            return value != 0 ? mq_ok : mq_absent;
        }
    }
    return mq_absent;
}

/* The first entry of the list, and whether nothing of that is being changed. */
static enum mq_result read_first(struct mq_target *memory, uint64_t list,
                                 uint64_t *first, bool *is_settled)
{
    const uint64_t word = (uint64_t)memory->sizes.pointer_size;
    uint64_t state = 1;

    mq_target_read_unsigned(memory, list + 3 * word, 4, NULL, &state);
    *is_settled = state == 0;
    return mq_target_read_pointer(memory, list + word, NULL, first);
}

static uint64_t word_of(const struct mq_link *link, size_t number,
                        const struct mq_target *memory)
{
    const size_t word = (size_t)memory->sizes.pointer_size;

    return mq_decode_unsigned(mq_little_endian, link->bytes + number * word,
                              (int)word);
}

/* The dynamic linker's name of a library, at ADDRESS in MEMORY, which may
 * differ from the kernel's.
 */
static void take_name(struct mq_target *memory, uint64_t address,
                      struct mq_object *file)
{
    char name[4096], *copy;

    if (mq_target_read_string(memory, address, sizeof name, NULL, name)
        != mq_ok || name[0] != '/' || strcmp(name, file->name) == 0)
        return;
    copy = strdup(name);
    if (copy == NULL)
        return;
    free(file->name);
    file->name = copy;
}

static void put_in_order(struct mq_objects *loaded, struct mq_object *file)
{
    if (file == NULL || file->is_listed)
        return;
    file->is_listed = true;
    loaded->order[loaded->order_count++] = (size_t)(file - loaded->files);
}

/* Follows the list, which is the process's and may be anything.  One that was
 * not read to its end, or is being changed, is none to compare with.
 */
static void follow_list(struct mq_objects *loaded, struct mq_target *memory)
{
    enum { name_at = 1, section_at = 2, next_at = 3 };
    const size_t size = link_words * (size_t)memory->sizes.pointer_size;
    struct mq_link link = { .place = 0 };
    struct mq_object *file;
    bool is_settled;

    if (read_first(memory, loaded->list, &link.place, &is_settled) != mq_ok)
        return;
    for (; link.place != 0; link.place = word_of(&link, next_at, memory)) {
        if (loaded->link_count == most_files
            || memory->ops->read(memory, link.place, size, NULL, link.bytes)
               != mq_ok
            || mq_array_add(&loaded->links, sizeof link, &loaded->link_count,
                            &loaded->link_room, &link, "for libraries", NULL)
               != mq_ok) {
            loaded->link_count = 0;
            return;
        }
        file = mq_objects_at(loaded, word_of(&link, section_at, memory));
        if (file != NULL && !file->is_program)
            take_name(memory, word_of(&link, name_at, memory), file);
        put_in_order(loaded, file);
    }
    if (!is_settled)
        loaded->link_count = 0;
}

/* Whether COUNT entries, each of SIZE bytes, are as they were.  Should PID be
 * another process by now, they are not.
 */
static bool are_links_same(int pid, const struct mq_link *links, size_t count,
                           size_t size)
{
    unsigned char now[links_at_once][sizeof links->bytes] = { { 0 } };
    struct iovec here[links_at_once], there[links_at_once];

    for (size_t i = 0; i < count; i++) {
        const uintptr_t place = (uintptr_t)links[i].place;

        here[i] = there[i] = (struct iovec){ now[i], size };
        memcpy(&there[i].iov_base, &place, sizeof place);
    }
    if (process_vm_readv(pid, here, count, there, count, 0)
        != (ssize_t)(count * size))
        return false;
    for (size_t i = 0; i < count; i++)
        if (memcmp(now[i], links[i].bytes, size) != 0)
            return false;
    return true;
}

/* Whether the dynamic linker has loaded and unloaded nothing since its list was
 * followed: each entry has the place of the next.
 */
static bool is_list_same(const struct mq_objects *loaded,
                         struct mq_target *memory)
{
    const size_t size = link_words * (size_t)memory->sizes.pointer_size;
    uint64_t first;
    bool is_settled;
    size_t some;

    if (loaded->link_count == 0
        || read_first(memory, loaded->list, &first, &is_settled) != mq_ok
        || !is_settled || first != loaded->links[0].place)
        return false;
    for (size_t i = 0; i < loaded->link_count; i += some) {
        some = loaded->link_count - i;
        some = some < links_at_once ? some : links_at_once;
        if (!are_links_same(loaded->origin.pid, loaded->links + i, some, size))
            return false;
    }
    return true;
}

static enum mq_result order(struct mq_objects *loaded,
                            const struct auxiliary *auxiliary,
                            struct mq_target *memory, struct mq_error *error)
{
    uint64_t dynamic;
    struct mq_object *program;

    loaded->order = calloc(loaded->count + 1, sizeof *loaded->order);
    if (loaded->order == NULL)
        return mq_fail_memory(error, "for libraries");
    program = mq_objects_at(loaded, auxiliary->headers);
    if (program == NULL)
        return mq_fail(error, "the program is not mapped");
    program->is_program = true;
    put_in_order(loaded, program);
    if (find_dynamic(memory, auxiliary, &dynamic) == mq_ok
        && find_list(memory, dynamic, &loaded->list) == mq_ok)
        follow_list(loaded, memory);
    for (size_t i = 0; i < loaded->count; i++)
        if (loaded->files[i].is_kernels)
            put_in_order(loaded, &loaded->files[i]);
    return mq_ok;
}

/* Whether the same files are at the same places; no files are not enough. */
static bool are_same(const struct mq_objects *one,
                     const struct mq_objects *other)
{
    for (size_t i = 0; i < one->count && i < other->count; i++) {
        const struct mq_object *a = &one->files[i], *b = &other->files[i];

        if (a->begin != b->begin || a->first_end != b->first_end
            || strcmp(a->path, b->path) != 0)
            return false;
    }
    return one->count > 0 && one->count == other->count;
}

enum mq_result mq_objects_read(struct mq_objects *loaded,
                              const struct mq_origin *origin,
                              struct mq_target *memory, struct mq_error *error)
{
    struct mq_objects fresh = { .origin = *origin };
    struct auxiliary auxiliary;
    enum mq_result result;

    if (is_list_same(loaded, memory))
        return mq_ok;
    if (read_auxiliary(origin, memory->sizes.pointer_size, &auxiliary) != mq_ok)
        return mq_fail(error, "%s: its program is not known",
                       memory->name);
    result = origin->core == NULL ? read_maps(&fresh, error)
                                  : take_core(&fresh, auxiliary.kernels, error);
    if (result == mq_ok
        && (loaded->link_count == 0 || !are_same(&fresh, loaded))) {
        result = order(&fresh, &auxiliary, memory, error);
        if (result == mq_ok) {
            mq_objects_deinit(loaded);
            *loaded = fresh;
            return mq_ok;
        }
    }
    mq_objects_deinit(&fresh);
    return result;
}

void mq_objects_deinit(struct mq_objects *loaded)
{
    while (loaded->count > 0) {
        free(loaded->files[--loaded->count].line);
        free(loaded->files[loaded->count].path);
        free(loaded->files[loaded->count].name);
    }
    free(loaded->files);
    free(loaded->fixed);
    free(loaded->order);
    free(loaded->links);
    memset(loaded, 0, sizeof *loaded);
}

/* ---- The files --------------------------------------------------------- */

/* The kernel's own library is in no file. */
static int copy_kernels(const struct mq_object *file,
                        struct mq_target *memory)
{
    size_t length = (size_t)(file->end - file->begin);
    int copy = length > largest_kernels ? -1
               : memfd_create("linux-vdso", MFD_CLOEXEC);
    char *bytes = copy < 0 ? NULL : malloc(length);
    bool is_copied = bytes != NULL
        && memory->ops->read(memory, file->begin, length, NULL, bytes) == mq_ok
        && write(copy, bytes, length) == (ssize_t)length;

    free(bytes);
    if (!is_copied && copy >= 0)
        close(copy);
    return is_copied ? copy : -1;
}

int mq_object_kind(struct mq_object *file)
{
    if (!file->has_kind)
        file->kind = mq_library_kind(file->name);
    file->has_kind = true;
    return file->kind;
}

/* A descriptor of the file, or -1 if it is not the one that the process has. */
static int open_object(const struct mq_objects *loaded,
                       const struct mq_object *file, struct mq_target *memory)
{
    const struct mq_origin *origin = &loaded->origin;
    unsigned char there[alike], here[alike];
    int descriptor;
    ssize_t length;

    if (file->is_kernels)
        return copy_kernels(file, memory);
    if (origin->core != NULL)
        return fcntl(mq_core_file(origin->core, file->begin), F_DUPFD_CLOEXEC,
                     0);
    descriptor = mq_mapped_open("/proc", origin->pid, file->line);
    if (descriptor < 0)
        return -1;
    length = pread(descriptor, there, sizeof there, 0);
    if (length >= (ssize_t)sizeof(Elf32_Ehdr)
        && memory->ops->read(memory, file->base, (size_t)length, NULL, here)
           == mq_ok && memcmp(here, there, (size_t)length) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

/* The words of a line of maps behind those that are of one process: the device,
 * the inode and the path.
 */
static const char *words_of_file(const char *line)
{
    const int words = 3;

    for (int i = 0; i < words; i++) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return line;
}

static struct mq_module *open_module(const struct mq_objects *loaded,
                                     const struct mq_object *file,
                                     struct mq_modules *modules,
                                     struct mq_target *memory)
{
    int descriptor = open_object(loaded, file, memory);
    struct mq_module *module;
    struct mq_error ignored;
    enum mq_result result;

    if (descriptor < 0)
        return NULL;
    result = mq_modules_get(modules, descriptor, file->name, &ignored,
                            &module);
    close(descriptor);
    if (result != mq_ok)
        return NULL;
    if (loaded->origin.core == NULL && !file->is_kernels)
        mq_module_note(module, words_of_file(file->line));
    return module;
}

struct mq_module *mq_object_module(const struct mq_objects *loaded,
                                   struct mq_object *file,
                                   struct mq_modules *modules,
                                   struct mq_target *memory)
{
    unsigned char here[alike];

    if (file->is_opened)
        return file->module;
    file->is_opened = true;
    /* One may have been made of the file for another process. */
    if (loaded->origin.core == NULL)
        file->module = mq_modules_noted(modules, words_of_file(file->line),
                                        mq_object_kind(file));
    if (file->module == NULL
        || memory->ops->read(memory, file->base, sizeof here, NULL, here)
           != mq_ok
        || !mq_module_begins_with(file->module, here, sizeof here))
        file->module = open_module(loaded, file, modules, memory);
    if (file->module != NULL)
        file->bias = file->base - mq_module_begin(file->module);
    return file->module;
}

const struct mq_symbol *mq_objects_symbol(const struct mq_objects *loaded,
                                          size_t number, const char *name,
                                          int without,
                                          struct mq_modules *modules,
                                          struct mq_target *memory,
                                          uint64_t *bias)
{
    size_t count = loaded->order_count;
    struct mq_object *file = &loaded->files[loaded->order[number % count]];
    const struct mq_symbol *symbol;
    struct mq_module *module;

    if ((mq_object_kind(file) & without) != 0)
        return NULL;
    module = mq_object_module(loaded, file, modules, memory);
    if (module == NULL)
        return NULL;
    symbol = number < count ? mq_module_symbol(module, name, false) : NULL;
    if (symbol == NULL && number > 0)
        symbol = mq_module_symbol(module, name, true);
    *bias = file->bias;
    return symbol;
}
