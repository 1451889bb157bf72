/* core.c - reader of core files */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _FILE_OFFSET_BITS 64
#include "symbols/core.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "process/regular.h"

enum {
    largest_notes = 1 << 26,    /* bytes */
    most_mappings = 1 << 16,
    most_segments = 1 << 20,
    most_core_threads = 1 << 15,
    alike = 1024                /* bytes of a file, which hold its build id */
};

/* Of a machine: where struct elf_prstatus has the thread and its registers. */
struct status_layout {
    uint32_t machine;
    int word;
    size_t thread, registers, length;
};

static const struct status_layout layouts[] = {
    { EM_X86_64, 8, 32, 112, 216 },
    { EM_386, 4, 24, 72, 68 },
    { EM_AARCH64, 8, 32, 112, 272 }
};

enum { layout_count = sizeof layouts / sizeof layouts[0] };

/* Memory that is in the core file. */
struct segment {
    uint64_t begin, length, offset;
};

struct mapped_file {
    const char *path;
    uint64_t begin;             /* where its first byte is; 0: nowhere */
    int descriptor;             /* -1: there is none */
    bool is_opened;             /* that was tried */
};

struct mq_core {
    struct mq_target memory;    /* first */
    int file, program;
    const char *name;
    bool is_wide;
    const struct status_layout *status;
    struct segment *segments;
    size_t segment_count, segment_room;
    struct mq_thread_registers *threads;
    size_t thread_count, thread_room;
    int pid;                    /* 0: not known */
    struct mq_core_mapping *mappings;
    size_t mapping_count, mapping_room;
    struct mapped_file *files;
    size_t file_count, file_room;
    char *paths;                /* that those of the files are */
    unsigned char *auxv;
    size_t auxv_length;
};

static int word_of(const struct mq_core *core)
{
    return core->is_wide ? 8 : 4;
}

/* The NUMBERth word from BYTES on. */
static uint64_t take_word(const struct mq_core *core, const void *bytes,
                          size_t number)
{
    size_t word = (size_t)word_of(core);

    return mq_decode_unsigned(mq_little_endian,
                              (const unsigned char *)bytes + number * word,
                              (int)word);
}

static enum mq_result damaged(const struct mq_core *core,
                              struct mq_error *error, const char *what)
{
    return mq_fail(error, "cannot use the core file '%s': %s", core->name,
                   what);
}

/* ---- Notes ------------------------------------------------------------- */

static enum mq_result take_thread(struct mq_core *core,
                                  const unsigned char *bytes, size_t length,
                                  struct mq_error *error)
{
    const struct status_layout *layout = core->status;
    struct mq_thread_registers thread;
    enum mq_result result;

    if (length < layout->registers + layout->length
        || core->thread_count == most_core_threads)
        return damaged(core, error, "invalid thread notes");
    thread.thread = (pid_t)mq_decode_signed(mq_little_endian,
                                            bytes + layout->thread, 4);
    result = mq_registers_decode(bytes + layout->registers, layout->length,
                                 &thread.machine, &thread.registers);
    if (result != mq_ok)
        return result;
    return mq_array_add(&core->threads, sizeof thread, &core->thread_count,
                        &core->thread_room, &thread, "for threads", error);
}

/* struct elf_prpsinfo begins with four characters and the flags, then come the
 * user and the group, of 16 bits where words are narrow.
 */
static enum mq_result take_process(struct mq_core *core,
                                   const unsigned char *bytes, size_t length,
                                   struct mq_error *error)
{
    size_t at = core->is_wide ? 24 : 12;

    (void)error;
    if (length >= at + 4)
        core->pid = (int)mq_decode_signed(mq_little_endian, bytes + at, 4);
    return mq_ok;
}

static enum mq_result take_auxv(struct mq_core *core,
                                const unsigned char *bytes, size_t length,
                                struct mq_error *error)
{
    if (core->auxv != NULL || length == 0)
        return mq_ok;
    core->auxv = malloc(length);
    if (core->auxv == NULL)
        return mq_fail_memory(error, "for a core file");
    memcpy(core->auxv, bytes, length);
    core->auxv_length = length;
    return mq_ok;
}

/* Adds a mapping, and its file if that is a new one. */
static enum mq_result add_mapping(struct mq_core *core,
                                  struct mq_core_mapping mapping,
                                  struct mq_error *error)
{
    const struct mapped_file file = { mapping.path, 0, -1, false };

    if ((core->file_count == 0
         || strcmp(core->files[core->file_count - 1].path, mapping.path) != 0)
        && mq_array_add(&core->files, sizeof file, &core->file_count,
                        &core->file_room, &file, "for a core file", error)
           != mq_ok)
        return mq_failed;
    mapping.file = core->file_count - 1;
    if (mapping.offset == 0 && core->files[mapping.file].begin == 0)
        core->files[mapping.file].begin = mapping.begin;
    return mq_array_add(&core->mappings, sizeof mapping, &core->mapping_count,
                        &core->mapping_room, &mapping, "for a core file",
                        error);
}

/* A count and the size of a page; for each mapping its begin, its end, and how
 * many pages into the file it begins; then all paths.
 */
static enum mq_result take_mappings(struct mq_core *core,
                                    const unsigned char *bytes, size_t length,
                                    struct mq_error *error)
{
    static const char nonsense[] = "invalid file notes";
    size_t word = (size_t)word_of(core), rest, i;
    uint64_t count, page, last = 0;
    const char *path;

    if (core->paths != NULL || length < 2 * word)
        return mq_ok;
    count = take_word(core, bytes, 0);
    page = take_word(core, bytes, 1);
    if (count > most_mappings || count * 3 * word > length - 2 * word
        || page > 1 << 24)
        return damaged(core, error, nonsense);
    rest = length - (size_t)(2 + 3 * count) * word;
    core->paths = malloc(rest + 1);
    if (core->paths == NULL)
        return mq_fail_memory(error, "for a core file");
    memcpy(core->paths, bytes + length - rest, rest);
    core->paths[rest] = '\0';
    for (i = 0, path = core->paths; i < count; i++) {
        const struct mq_core_mapping mapping = {
            take_word(core, bytes, 2 + 3 * i),
            take_word(core, bytes, 3 + 3 * i),
            take_word(core, bytes, 4 + 3 * i) * page, path, 0
        };

        if (path >= core->paths + rest || mapping.begin < last
            || mapping.begin >= mapping.end)
            return damaged(core, error, nonsense);
        if (add_mapping(core, mapping, error) != mq_ok)
            return mq_failed;
        last = mapping.end;
        path += strlen(path) + 1;
    }
    return mq_ok;
}

static enum mq_result take_notes(struct mq_core *core, Elf *elf,
                                 const GElf_Phdr *header,
                                 struct mq_error *error)
{
    static const struct {
        uint32_t type;
        enum mq_result (*take)(struct mq_core *, const unsigned char *,
                               size_t, struct mq_error *);
    } kinds[] = {
        { NT_PRSTATUS, take_thread }, { NT_PRPSINFO, take_process },
        { NT_AUXV, take_auxv }, { NT_FILE, take_mappings }
    };
    enum mq_result result = mq_ok;
    size_t at = 0, owner, bytes;
    Elf_Data *data;
    GElf_Nhdr note;

    if (header->p_filesz > largest_notes)
        return damaged(core, error, "it has too many notes");
    data = elf_getdata_rawchunk(elf, (int64_t)header->p_offset,
                                header->p_filesz, ELF_T_NHDR);
    while (data != NULL && result == mq_ok
           && (at = gelf_getnote(data, at, &note, &owner, &bytes)) > 0) {
        const unsigned char *whole = data->d_buf;

        if (note.n_namesz != sizeof "CORE"
            || memcmp(whole + owner, "CORE", sizeof "CORE") != 0)
            continue;
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (kinds[i].type == note.n_type)
                result = kinds[i].take(core, whole + bytes, note.n_descsz,
                                       error);
    }
    return result;
}

/* ---- Segments ---------------------------------------------------------- */

static enum mq_result take_segment(struct mq_core *core,
                                   const GElf_Phdr *header,
                                   struct mq_error *error)
{
    const struct segment segment = {
        header->p_vaddr, header->p_filesz, header->p_offset
    };
    const struct segment *last = core->segment_count == 0 ? NULL
        : &core->segments[core->segment_count - 1];

    if (segment.length == 0)
        return mq_ok;
    if (segment.length > UINT64_MAX - segment.begin
        || segment.length > INT64_MAX - segment.offset
        || segment.offset > INT64_MAX || core->segment_count == most_segments
        || (last != NULL && segment.begin < last->begin + last->length))
        return damaged(core, error, "invalid memory segments");
    return mq_array_add(&core->segments, sizeof segment, &core->segment_count,
                        &core->segment_room, &segment, "for a core file",
                        error);
}

static enum mq_result take_headers(struct mq_core *core, Elf *elf,
                                   struct mq_error *error)
{
    enum mq_result result = mq_ok;
    size_t count;

    if (elf_getphdrnum(elf, &count) != 0)
        return damaged(core, error, elf_errmsg(-1));
    for (size_t i = 0; i < count && result == mq_ok; i++) {
        GElf_Phdr header;

        if (gelf_getphdr(elf, (int)i, &header) == NULL)
            return damaged(core, error, elf_errmsg(-1));
        if (header.p_type == PT_LOAD)
            result = take_segment(core, &header, error);
        if (header.p_type == PT_NOTE)
            result = take_notes(core, elf, &header, error);
    }
    return result;
}

/* The stack is the last that would be there. */
static enum mq_result check_whole(const struct mq_core *core, int file,
                                  struct mq_error *error)
{
    uint64_t needed = 0;
    struct stat status;

    for (size_t i = 0; i < core->segment_count; i++) {
        uint64_t end = core->segments[i].offset + core->segments[i].length;

        needed = end > needed ? end : needed;
    }
    if (fstat(file, &status) == 0 && (uint64_t)status.st_size >= needed)
        return mq_ok;
    return mq_fail(error, "cannot use the core file '%s': it is truncated, "
                   "%" PRIu64 " bytes were expected; was there a limit (ulimit "
                   "-c), or no room on the disk?", core->name, needed);
}

static enum mq_result read_core(struct mq_core *core, int file, Elf *elf,
                                struct mq_error *error)
{
    enum mq_result result;
    GElf_Ehdr header;

    if (gelf_getehdr(elf, &header) == NULL || header.e_type != ET_CORE)
        return damaged(core, error, "it is not a core file");
    core->status = layouts;
    while (core->status < layouts + layout_count
           && core->status->machine != header.e_machine)
        core->status++;
    if (core->status == layouts + layout_count)
        return mq_absent;
    core->is_wide = core->status->word == 8;
    if (header.e_ident[EI_DATA] != ELFDATA2LSB
        || header.e_ident[EI_CLASS] != (core->is_wide ? ELFCLASS64
                                                      : ELFCLASS32))
        return mq_absent;
    result = take_headers(core, elf, error);
    if (result == mq_ok && core->thread_count == 0)
        return damaged(core, error, "it has no threads");
    core->memory.sizes = core->is_wide ? mq_wide_sizes : mq_narrow_sizes;
    /* The main thread, which comes first, has the number of the process. */
    for (size_t i = 1; i < core->thread_count; i++) {
        struct mq_thread_registers it = core->threads[i];

        if (it.thread != core->pid)
            continue;
        memmove(core->threads + 1, core->threads, i * sizeof it);
        core->threads[0] = it;
        break;
    }
    return result == mq_ok ? check_whole(core, file, error) : result;
}

/* ---- Memory ------------------------------------------------------------ */

/* Of what is sorted by where it begins, the last that is not behind ADDRESS. */
static const struct segment *segment_at(const struct mq_core *core,
                                        uint64_t address)
{
    size_t count = mq_array_upto(core->segments, core->segment_count,
                                 sizeof *core->segments,
                                 offsetof(struct segment, begin), address);
    const struct segment *last = count > 0 ? &core->segments[count - 1] : NULL;

    return last != NULL && address - last->begin < last->length ? last : NULL;
}

static const struct mq_core_mapping *mapping_at(const struct mq_core *core,
                                                uint64_t address)
{
    size_t count = mq_array_upto(core->mappings, core->mapping_count,
                                 sizeof *core->mappings,
                                 offsetof(struct mq_core_mapping, begin),
                                 address);

    return count > 0 && address < core->mappings[count - 1].end
           ? &core->mappings[count - 1] : NULL;
}

uint64_t mq_core_end(const struct mq_core *core, uint64_t address)
{
    const struct segment *segment = segment_at(core, address);

    return segment == NULL ? 0 : segment->begin + segment->length;
}

/* ---- Files ------------------------------------------------------------- */

/* Whether two files begin alike, but for where their section headers are: a
 * stripped program is the same as the one that is not.
 */
static bool are_alike(const struct mq_core *core, unsigned char *one,
                      unsigned char *other, size_t length)
{
    const size_t place = core->is_wide ? offsetof(Elf64_Ehdr, e_shoff)
                                       : offsetof(Elf32_Ehdr, e_shoff);
    const size_t number = core->is_wide ? offsetof(Elf64_Ehdr, e_shnum)
                                        : offsetof(Elf32_Ehdr, e_shnum);

    memset(one + place, 0, (size_t)word_of(core));
    memset(other + place, 0, (size_t)word_of(core));
    memset(one + number, 0, 2 * sizeof(uint16_t));
    memset(other + number, 0, 2 * sizeof(uint16_t));
    return memcmp(one, other, length) == 0;
}

/* Whether what FILE begins with is what was mapped at BEGIN. */
static bool begins_alike(const struct mq_core *core, int file, uint64_t begin)
{
    const struct segment *segment = segment_at(core, begin);
    unsigned char there[alike], here[alike];
    uint64_t before;
    ssize_t size;

    if (file < 0 || segment == NULL)
        return false;
    before = begin - segment->begin;
    size = segment->length - before < alike
           ? (ssize_t)(segment->length - before) : alike;
    return size >= (ssize_t)sizeof(Elf64_Ehdr)
           && pread(file, there, (size_t)size, 0) == size
           && pread(core->file, here, (size_t)size,
                    (off_t)(segment->offset + before)) == size
           && are_alike(core, here, there, (size_t)size);
}

int mq_core_file(struct mq_core *core, uint64_t address)
{
    const struct mq_core_mapping *mapping = mapping_at(core, address);
    struct mapped_file *file;

    if (mapping == NULL)
        return -1;
    file = &core->files[mapping->file];
    if (file->is_opened || file->begin == 0)
        return file->descriptor;
    file->is_opened = true;
    if (begins_alike(core, core->program, file->begin)) {
        file->descriptor = fcntl(core->program, F_DUPFD_CLOEXEC, 0);
        return file->descriptor;
    }
    file->descriptor = mq_regular_open(file->path);
    if (file->descriptor >= 0
        && !begins_alike(core, file->descriptor, file->begin)) {
        close(file->descriptor);
        file->descriptor = -1;
    }
    return file->descriptor;
}

/* ---- Reading ----------------------------------------------------------- */

/* Copies what is there at ADDRESS of LENGTH bytes, at least one. */
static size_t read_some(struct mq_core *core, uint64_t address, size_t length,
                        void *bytes)
{
    const struct segment *segment = segment_at(core, address);
    const struct mq_core_mapping *mapping;
    uint64_t left, offset;
    ssize_t got;
    int file;

    if (segment != NULL) {
        file = core->file;
        offset = segment->offset + (address - segment->begin);
        left = segment->begin + segment->length - address;
    } else {
        mapping = mapping_at(core, address);
        file = mapping == NULL ? -1 : mq_core_file(core, address);
        if (file < 0)
            return 0;
        offset = mapping->offset + (address - mapping->begin);
        left = mapping->end - address;
    }
    got = pread(file, bytes, left < length ? (size_t)left : length,
                (off_t)offset);
    return got > 0 ? (size_t)got : 0;
}

static enum mq_result core_read(struct mq_target *target, uint64_t address,
                                size_t length, struct mq_error *error,
                                void *bytes)
{
    struct mq_core *core = (struct mq_core *)target;
    unsigned char *to = bytes;

    while (length > 0) {
        size_t got = read_some(core, address, length, to);

        if (got == 0)
            return mq_fail(error, "%s: it does not have the memory at 0x%"
                           PRIx64, core->name, address);
        address += got;
        to += got;
        length -= got;
    }
    return mq_ok;
}

/* ---- Begin and end ----------------------------------------------------- */

static void core_destroy(struct mq_target *target)
{
    struct mq_core *core = (struct mq_core *)target;

    while (core->file_count > 0)
        if (core->files[--core->file_count].descriptor >= 0)
            close(core->files[core->file_count].descriptor);
    if (core->file >= 0)
        close(core->file);
    if (core->program >= 0)
        close(core->program);
    free(core->files);
    free(core->mappings);
    free(core->paths);
    free(core->threads);
    free(core->segments);
    free(core->auxv);
    free(core);
}

static const struct mq_target_ops core_ops = {
    .read = core_read,
    .destroy = core_destroy
};

enum mq_result mq_core_open(int file, int program, const char *name,
                            struct mq_error *error, struct mq_core **result)
{
    struct mq_core *core = calloc(1, sizeof *core);
    enum mq_result made;
    Elf *elf;

    if (core == NULL)
        return mq_fail_memory(error, "for a core file");
    core->memory.ops = &core_ops;
    core->memory.name = core->memory.image = core->name = name;
    core->memory.byte_order = mq_little_endian;
    core->memory.rank = -1;
    core->file = core->program = -1;
    elf_version(EV_CURRENT);
    elf = elf_begin(file, ELF_C_READ, NULL);
    made = elf == NULL ? damaged(core, error, elf_errmsg(-1))
                       : read_core(core, file, elf, error);
    elf_end(elf);
    if (made != mq_ok) {
        core_destroy(&core->memory);
        return made;
    }
    core->file = file;
    core->program = program;
    *result = core;
    return mq_ok;
}

struct mq_target *mq_core_memory(struct mq_core *core)
{
    return &core->memory;
}

const struct mq_thread_registers *mq_core_threads(const struct mq_core *core,
                                                  size_t *count)
{
    *count = core->thread_count;
    return core->threads;
}

const void *mq_core_auxv(const struct mq_core *core, size_t *length)
{
    *length = core->auxv_length;
    return core->auxv;
}

const struct mq_core_mapping *mq_core_mappings(const struct mq_core *core,
                                               size_t *count)
{
    *count = core->mapping_count;
    return core->mappings;
}
